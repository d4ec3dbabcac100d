import { afterEach, expect, it, vi } from 'vitest'
import { onWoken } from './woken.ts'

afterEach(() => vi.unstubAllGlobals())

it('hears a push and nothing else, until nobody listens', () => {
  const worker = new EventTarget()
  vi.stubGlobal('navigator', { serviceWorker: worker })
  const wake = vi.fn()
  const end = onWoken(wake)
  const say = (data: unknown) => worker.dispatchEvent(new MessageEvent('message', { data }))
  say({ kind: 'employee' })
  say(null)
  expect(wake).not.toHaveBeenCalled()
  say({ wake: true })
  expect(wake).toHaveBeenCalledTimes(1)
  end()
  say({ wake: true })
  expect(wake).toHaveBeenCalledTimes(1)
})

it('a browser without workers has nothing to hear', () => {
  vi.stubGlobal('navigator', {})
  onWoken(() => undefined)()
})
