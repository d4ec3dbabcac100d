import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Session, SessionState } from '../features/accounts/web/session.ts'
import { untilPicture } from './firstPicture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const aSession = () => {
  const listeners = new Set<() => void>()
  let state: SessionState = { phase: 'starting' }
  return {
    session: {
      get: () => state,
      subscribe: (listener: () => void) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    } as Session,
    become: (next: SessionState) => {
      state = next
      for (const listener of listeners) listener()
    },
    listeners,
  }
}

const watch = (picture: Promise<unknown>) => {
  const seen = vi.fn()
  void picture.then(seen)
  return async () => {
    await vi.advanceTimersByTimeAsync(0)
    return seen.mock.calls.length > 0
  }
}

it('the picture waits until it is known who is here and what it needs is there', async () => {
  const { session, become, listeners } = aSession()
  let comes: () => void = () => undefined
  const isTime = watch(untilPicture(session, new Promise<void>((resolve) => (comes = resolve))))
  expect(await isTime()).toBe(false)
  become({ phase: 'starting' })
  become({ phase: 'signedOut' })
  expect([await isTime(), listeners.size]).toEqual([false, 0])
  comes()
  expect(await isTime()).toBe(true)
})

it('nobody looks at an empty screen for long', async () => {
  const isTime = watch(untilPicture(aSession().session))
  await vi.advanceTimersByTimeAsync(399)
  expect(await isTime()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(await isTime()).toBe(true)
})
