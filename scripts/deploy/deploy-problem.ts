/** Something that the person who deploys has to correct. Its message says how. */
export class DeployProblem extends Error {
  override name = "DeployProblem";
}
