import { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { check } from '../../../../solver/check.ts'
import { evaluate } from '../../../../solver/evaluate.ts'
import { randomProblem } from '../../../../solver/random-problem.ts'
import type { PlanAnswer, PlanTask, PlanUpdate } from './plan-task.ts'
import type { ThreadUpdate } from './pool.ts'

const { matrix, ...problem } = randomProblem({ seed: 4, visits: 160, crewDays: 9, rich: false })
const taskOf = (islands: number): PlanTask => ({
  kind: 'optimize',
  travelTimes: matrix,
  percents: problem.crewDays.map(() => 100),
  problem,
  start: { routes: problem.crewDays.map(({ id }) => ({ crewDayId: id, visitIds: [] })) },
  closed: [],
  fixed: [],
  stability: { announcedVisitIds: [] },
  evenness: 'cost',
  effort: 0.4,
  seed: 1,
  islands,
  limitMs: 60_000,
})

/** Ends the second thread of a search before it begins. */
const breaksIsland = `data:text/javascript,${encodeURIComponent(
  "import { workerData } from 'node:worker_threads'; if (workerData?.memory) throw new Error('no second thread')",
)}`

const planned = async (islands: number, onNotice?: (notice: string) => void): Promise<PlanAnswer> => {
  const worker = new Worker(new URL('./plan-thread.ts', import.meta.url), {
    ...(onNotice ? { execArgv: ['--import', breaksIsland] } : {}),
  })
  const noticed = Promise.withResolvers<void>()
  if (!onNotice) noticed.resolve()
  try {
    worker.postMessage({ task: taskOf(islands), flag: new Int32Array(new SharedArrayBuffer(4)) })
    const answer = await new Promise<PlanAnswer>((resolve, reject) => {
      worker.on('error', reject)
      worker.on('message', (message: ThreadUpdate<PlanUpdate, PlanAnswer>) => {
        if ('failed' in message) reject(new Error(message.failed))
        if ('answer' in message) resolve(message.answer)
        if ('notice' in message) {
          onNotice?.(message.notice)
          noticed.resolve()
        }
      })
    })
    await noticed.promise
    return answer
  } finally {
    await worker.terminate()
  }
}

it('plans in two threads as in one, by every rule, and the same again', async () => {
  const full = { ...problem, matrix }
  const [one, two, again] = [await planned(1), await planned(2), await planned(2)]
  for (const { plan } of [one, two]) expect(check(full, evaluate(full, plan))).toEqual([])
  expect(two.plan).not.toEqual(one.plan)
  expect(again.plan).toEqual(two.plan)
})

it('goes on alone where the second thread fails, and says for the log why', async () => {
  const notices: string[] = []
  const alone = await planned(2, (notice) => notices.push(notice))
  expect(check({ ...problem, matrix }, evaluate({ ...problem, matrix }, alone.plan))).toEqual([])
  expect(notices).toHaveLength(1)
  expect(notices[0]).toContain('no second thread')
})
