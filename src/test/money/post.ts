import { setLocalPost, signEvent } from '../../local/payments/events.ts'
import { newId } from '../../platform/ids.ts'
import { runTasks, stranger } from '../api.ts'
import type { Dice } from './dice.ts'

/** What the provider tells: kept when it is said, brought when a deed says so, in any order, twice, and again under another id. */
export type Post = {
  /** What was told and never brought. */
  waiting: string[]
  told: string[]
  end: () => void
}

export const aPost = (): Post => {
  const post: Post = { waiting: [], told: [], end: () => undefined }
  post.end = setLocalPost(async (_url, _headers, payload) => {
    post.waiting.push(payload)
    post.told.push(payload)
    return 200
  })
  return post
}

const bring = async (payload: string): Promise<void> => {
  const headers = { 'content-type': 'application/json', 'stripe-signature': await signEvent(payload) }
  const { status, text } = await stranger.raw({ method: 'POST', url: '/api/webhooks/stripe', headers, payload })
  if (status !== 200) throw new Error(`The webhook answered ${status}: ${text}`)
}

/** The same news under an id of its own, as providers send it when they think that nobody heard. */
const again = (payload: string): string => JSON.stringify({ ...JSON.parse(payload), id: `evt_test_${newId()}` })

const shuffled = <T>(of: readonly T[], dice: Dice): T[] =>
  of
    .map((one) => ({ one, key: dice(1_000_000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)

/** Brings some or all of what waits. @param most how many at the most */
export const deliver = async (post: Post, dice: Dice, most = Number.POSITIVE_INFINITY): Promise<number> => {
  const waiting = shuffled(post.waiting, dice)
  const now = waiting.slice(0, most)
  post.waiting = waiting.slice(now.length)
  for (const payload of now) {
    await bring(payload)
    if (dice(4) === 0) await bring(payload)
  }
  const old = dice(3) === 0 ? post.told[dice(Math.max(1, post.told.length))] : undefined
  if (old && !post.waiting.includes(old)) await bring(again(old))
  await runTasks()
  return now.length
}

/** Everything comes, and all of it once more in another order. */
export const deliverAll = async (post: Post, dice: Dice): Promise<void> => {
  while (post.waiting.length > 0) await deliver(post, dice)
  for (const payload of shuffled(post.told, dice)) await bring(again(payload))
  await runTasks()
}
