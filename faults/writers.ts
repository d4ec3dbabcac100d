import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Product } from './product.ts'
import type { Session } from './session.ts'

type Write = { key: string; name: string; answer: unknown; acknowledged: boolean; askedAgain: number }

/** What writers saw while something was killed under them. */
export type Seen = {
  /** Requests that got no answer at all: refused or cut off. */
  unanswered: number
  /** Answers by status. */
  statuses: Record<string, number>
  /** Answers that were neither a success nor 503. */
  otherRefusals: number
  /** The longest wait for an answer that was not a success, in milliseconds. */
  slowestRefusalMs: number
}

export type Writers = {
  seen: Seen
  /** When each write was acknowledged, by performance.now(). */
  acknowledgedAt: number[]
  /** Ids of what was made, with when it was acknowledged. */
  made: Map<string, number>
  stop: () => Promise<void>
  /** To be asked once the writers have stopped and the product answers. */
  settle: () => Promise<Settled>
}

export type Settled = {
  acknowledged: number
  /** Acknowledged and not in the table. */
  lost: number
  /** In the table more than once. */
  doubled: number
  /** Keys that can never be answered. */
  deadKeys: number
  /** Keys whose repeat gave another answer than the first. */
  otherAnswers: number
}

const giveUpMs = 5_000

/**
 * Writers that make customers one after the other, each under a key of its own; without an answer they send the same key again until there is one.
 * A key is dead when it gets none within 5 s of a product that answers others.
 */
export const startWriters = (product: Pick<Product, 'query'>, session: Session, count: number): Writers => {
  const run = randomUUID().slice(0, 8)
  const writes: Write[] = []
  const dead: Write[] = []
  const seen: Seen = { unanswered: 0, statuses: {}, otherRefusals: 0, slowestRefusalMs: 0 }
  const acknowledgedAt: number[] = []
  const made = new Map<string, number>()
  let running = true
  let number = 0

  const post = (write: Write) =>
    session.send('POST', '/api/customers', { name: write.name, allowDuplicate: true }, { 'idempotency-key': write.key })

  const untilAnswered = async (write: Write): Promise<void> => {
    let answering = 0
    for (;;) {
      const answer = await post(write)
      if (answer === null) seen.unanswered += 1
      else seen.statuses[answer.status] = (seen.statuses[answer.status] ?? 0) + 1
      if (answer && answer.status !== 200 && answer.status !== 503) seen.otherRefusals += 1
      if (answer?.status === 200) {
        Object.assign(write, { answer: answer.body, acknowledged: true })
        acknowledgedAt.push(performance.now())
        made.set((answer.body as { id: string }).id, performance.now())
        return
      }
      if (answer) seen.slowestRefusalMs = Math.max(seen.slowestRefusalMs, answer.ms)
      // only the time in which the product answers counts toward giving up
      if (answer && answer.status < 500) answering += 250
      if (answering > giveUpMs) {
        dead.push(write)
        return
      }
      write.askedAgain += 1
      await sleep(250)
    }
  }
  const writer = async (): Promise<void> => {
    while (running) {
      number += 1
      const write = {
        key: randomUUID(),
        name: `Fault ${run} ${number}`,
        answer: null,
        acknowledged: false,
        askedAgain: 0,
      }
      writes.push(write)
      await untilAnswered(write)
    }
  }
  const all = Promise.all(Array.from({ length: count }, writer))
  return {
    seen,
    acknowledgedAt,
    made,
    stop: async () => {
      running = false
      await all
    },
    settle: async () => {
      const acknowledged = writes.filter((write) => write.acknowledged)
      let otherAnswers = 0
      for (const write of acknowledged) {
        // what was answered at once is only sampled
        if (write.askedAgain === 0 && Math.random() > 0.1) continue
        const again = await post(write)
        if (again?.status !== 200 || (again.body as { id?: string }).id !== (write.answer as { id?: string }).id)
          otherAnswers += 1
      }
      const rows = await product.query<{ name: string; count: number }>(
        `select name, count(*)::int as count from customers where name like $1 group by name`,
        [`Fault ${run} %`],
      )
      const counts = new Map(rows.map((row) => [row.name, row.count]))
      return {
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((write) => !counts.has(write.name)).length,
        doubled: rows.filter((row) => row.count > 1).length,
        deadKeys: dead.length,
        otherAnswers,
      }
    },
  }
}
