import { describe, expect, test, vi } from 'vitest'
import { noteReached } from '../shared/reached.ts'
import { loadScreen, ScreenLoadError } from './loading.ts'

const quick = { timeoutMs: 20, pauseMs: 1, isReached: async () => true }

describe('loadScreen', () => {
  test('one lost file is asked for again', async () => {
    const load = vi
      .fn()
      .mockRejectedValueOnce(new TypeError('Failed to fetch dynamically imported module'))
      .mockResolvedValue({ ok: true })
    await expect(loadScreen(load, quick)).resolves.toEqual({ ok: true })
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('twice lost means that a new version is ready', async () => {
    const load = vi.fn().mockRejectedValue(new TypeError('gone'))
    await expect(loadScreen(load, quick)).rejects.toBeInstanceOf(ScreenLoadError)
    await expect(loadScreen(load, quick)).rejects.toThrow('A new version is ready')
    expect(load).toHaveBeenCalledTimes(4)
  })

  test('an answer that never comes is given up after the time-out', async () => {
    const load = vi.fn(() => new Promise<never>(() => undefined))
    await expect(loadScreen(load, quick)).rejects.toBeInstanceOf(ScreenLoadError)
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('without a connection it waits, and comes by itself when the server answers again', async () => {
    let online = false
    const load = vi.fn(() => (online ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError('offline'))))
    const asked = vi.fn(async () => online)
    const screen = loadScreen(load, { ...quick, isReached: asked })
    await vi.waitFor(() => expect(asked).toHaveBeenCalled())
    online = true
    await vi.waitFor(() => {
      noteReached()
      expect(load.mock.calls.length).toBeGreaterThan(2)
    })
    await expect(screen).resolves.toEqual({ ok: true })
  })
})
