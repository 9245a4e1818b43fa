#!/bin/sh
# Miniflare starts this instead of workerd. Ctrl-C reaches every process of the terminal; workerd
# must outlive it until its requests have ended. When its parent dies, the kernel ends it too.
trap '' INT
if setpriv --pdeathsig KILL true 2>/dev/null; then
  exec setpriv --pdeathsig KILL "$DUKA_WORKERD" "$@"
fi
exec "$DUKA_WORKERD" "$@"
