import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions, report } from './options.ts'
import { type Product, until, withProduct } from './product.ts'
import { openSession } from './session.ts'
import { startWriters } from './writers.ts'

type Kill = (product: Product) => Promise<void>

/** Kills the server hard and starts it again, as a service manager would. */
const killServer: Kill = async (product) => {
  const server = product.server()
  const ended = new Promise((done) => server.once('close', done))
  server.kill('SIGKILL')
  await ended
  await product.startServer()
}

/** Kills the database's first process hard; the server has to bring it back. */
const killDatabase: Kill = async (product) => {
  const pid = product.databasePid()
  if (!pid) throw new Error('there is no database to kill')
  process.kill(pid, 'SIGKILL')
}

const worst = (values: readonly number[]): number => Math.round(Math.max(0, ...values) / 100) / 10

const trial = async (target: 'server' | 'database', args: string[]): Promise<void> => {
  const options = readOptions(args, { kills: 10, seconds: 3 })
  const kill = target === 'server' ? killServer : killDatabase
  await withProduct({}, async (product) => {
    const session = await openSession(product.base)
    const writers = startWriters(product, session, options.writers)
    const back: number[] = []
    let ends = 0
    let silentEnds = 0
    for (let n = 0; n < options.kills; n += 1) {
      // never at the same point of a write
      await sleep(options.seconds * 1000 * (0.5 + Math.random()))
      const from = performance.now()
      const written = product.output().length
      await kill(product)
      await until('writes after a kill', async () => {
        if (target === 'database' && product.server().exitCode !== null) {
          ends += 1
          if (!/"msg":"/.test(product.output().slice(written))) silentEnds += 1
          await product.startServer()
        }
        return (writers.acknowledgedAt.at(-1) ?? 0) > from + (target === 'database' ? 300 : 0)
      })
      const first =
        writers.acknowledgedAt.find((at) => at > from + (target === 'database' ? 300 : 0)) ?? performance.now()
      back.push(first - from)
    }
    await sleep(1_000)
    await writers.stop()
    const settled = await writers.settle()
    if (options.log) console.error(`${product.output()}\n${product.databaseLog()}`)
    const result = {
      trial: target,
      kills: options.kills,
      ...settled,
      unanswered: writers.seen.unanswered,
      statuses: JSON.stringify(writers.seen.statuses),
      otherRefusals: writers.seen.otherRefusals,
      slowestRefusalSeconds: worst([writers.seen.slowestRefusalMs]),
      secondsToComeBackMedian: worst([back.toSorted((a, b) => a - b)[Math.floor(back.length / 2)] ?? 0]),
      secondsToComeBackWorst: worst(back),
      ...(target === 'database' ? { serverEnded: ends, serverEndedWithoutWord: silentEnds } : {}),
    }
    const broken = [
      settled.lost > 0 && `${settled.lost} acknowledged writes lost`,
      settled.doubled > 0 && `${settled.doubled} writes doubled`,
      settled.deadKeys > 0 && `${settled.deadKeys} keys that nothing answers`,
      settled.otherAnswers > 0 && `${settled.otherAnswers} repeats answered otherwise`,
      writers.seen.otherRefusals > 0 && `${writers.seen.otherRefusals} requests refused otherwise than by 503`,
      ends > 0 && `the server ended ${ends} times`,
      target === 'database' && worst(back) > 10 && 'not back within 10 s',
      worst([writers.seen.slowestRefusalMs]) > 15 && 'a request waited longer than 15 s',
      target === 'database' && writers.seen.unanswered > 0 && `${writers.seen.unanswered} requests without an answer`,
    ].filter((text) => text !== false)
    report(result, broken, options.json)
  })
}

export const server = (args: string[]): Promise<void> => trial('server', args)
export const database = (args: string[]): Promise<void> => trial('database', args)
