export default {
  async queue(batch: MessageBatch) {
    batch.ackAll();
  },
} satisfies ExportedHandler;
