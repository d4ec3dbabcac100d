import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'

/** Background work of a process that also answers people steps aside for them: it takes its next step between their requests. */

const background = new AsyncLocalStorage<true>()
type Waiting = { since: number }
/** Who waits, the one who came first at the head. */
const answering = new Set<Waiting>()
const ends = new WeakMap<object, () => void>()

const lookMs = 4
/** A business that is never quiet has its work done, too. */
const mostMs = 100
/** What takes longer waits for the line of a phone or for somebody else: a step of ours beside it is not felt. */
const youngMs = 1000

/**
 * Somebody asks and waits. What a task asks itself is nobody's waiting.
 * @param reply by which `endAnswering` knows it
 * @returns what ends it, once however often it is called
 */
export const beginAnswering = (reply?: object): (() => void) => {
  if (background.getStore()) return () => undefined
  const waiting = { since: performance.now() }
  answering.add(waiting)
  const end = () => void answering.delete(waiting)
  if (reply) ends.set(reply, end)
  return end
}

/** An answer that stays open, as a stream: nobody waits for its end. */
export const endAnswering = (reply: object): void => ends.get(reply)?.()

/** Whether somebody who came a moment ago has no answer yet; who came before that is forgotten. */
const isAnybodyWaiting = (): boolean => {
  const oldest = performance.now() - youngMs
  for (const waiting of answering) {
    if (waiting.since >= oldest) return true
    answering.delete(waiting)
  }
  return false
}

/** Runs work that nobody waits for at a screen. */
export const inBackground = <T>(work: () => Promise<T>): Promise<T> => background.run(true, work)

/** Inside of `inBackground`: whether somebody waits for an answer of this process just now. */
export const arePeopleWaiting = (): boolean => background.getStore() === true && isAnybodyWaiting()

/** Inside of `inBackground`: waits while somebody waits for an answer of this process, a moment at most. */
export const letPeopleFirst = async (pause: (ms: number) => Promise<unknown> = sleep): Promise<void> => {
  if (!arePeopleWaiting()) return
  for (let waited = 0; isAnybodyWaiting() && waited < mostMs; waited += lookMs) await pause(lookMs)
}
