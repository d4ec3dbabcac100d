import { parseArgs } from 'node:util'

/** Options that every trial takes. */
export const readOptions = (args: string[], defaults: { kills: number; seconds: number }) => {
  const { values } = parseArgs({
    args,
    options: {
      kills: { type: 'string', default: String(defaults.kills) },
      /** Of load before each kill; of the whole run for `soak`. */
      seconds: { type: 'string', default: String(defaults.seconds) },
      writers: { type: 'string', default: '6' },
      /** What `messages` has the provider say of the texts. */
      callbacks: { type: 'string', default: '10000' },
      /** How many servers `rolling` starts behind its balancer. */
      servers: { type: 'string', default: '3' },
      /** The folder of the release before, set up, from which `rolling` goes to this one. */
      before: { type: 'string' },
      json: { type: 'boolean', default: false },
      /** Shows what the product wrote. */
      log: { type: 'boolean', default: false },
      /** Where `soak` leaves heap snapshots of its first and last measurement. */
      snapshots: { type: 'string' },
    },
  })
  return {
    kills: Number(values.kills),
    seconds: Number(values.seconds),
    writers: Number(values.writers),
    callbacks: Number(values.callbacks),
    servers: Number(values.servers),
    before: values.before,
    json: values.json,
    log: values.log,
    snapshots: values.snapshots,
  }
}

/** Prints a result, and ends with 1 when a promise was broken. */
export const report = (result: object, broken: readonly string[], json: boolean): void => {
  if (json) console.log(JSON.stringify({ ...result, broken }, null, 2))
  else {
    console.table(result)
    console.log(broken.length === 0 ? 'Every promise held.' : `Broken: ${broken.join('; ')}`)
  }
  if (broken.length > 0) process.exitCode = 1
}
