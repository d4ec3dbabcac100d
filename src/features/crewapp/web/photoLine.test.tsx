import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { endShell, playShell } from '../../../ui/testing/playShell.ts'

beforeEach(() => {
  vi.resetModules()
  localStorage.setItem('swath.crew.settings', JSON.stringify({ photosOn: 'wifi' }))
})
afterEach(() => {
  endShell()
  localStorage.clear()
  Reflect.deleteProperty(navigator, 'connection')
})

const begin = async () => {
  const line = await import('./photoLine.ts')
  let changes = 0
  line.onNetworkChange(() => {
    changes += 1
  })
  return { ...line, changes: () => changes }
}

const browserSays = (type: string) =>
  Object.defineProperty(navigator, 'connection', { value: { type }, configurable: true })

it("in the shell it is the phone that says which network it is on, whatever the shell's browser says", async () => {
  browserSays('wifi')
  const shell = playShell({
    parts: ['Network'],
    answers: { 'Network.getStatus': () => ({ connected: true, connectionType: 'cellular' }) },
  })
  const { mayUsePhotoLine, tellsNetwork, changes } = await begin()
  // until it has said so, nothing that is to wait for Wi-Fi goes
  expect(mayUsePhotoLine()).toBe(false)
  await vi.waitFor(() => expect(changes()).toBe(1))
  expect([mayUsePhotoLine(), tellsNetwork()]).toEqual([false, true])
  shell.tell('Network.networkStatusChange', { connected: true, connectionType: 'wifi' })
  expect([mayUsePhotoLine(), changes()]).toEqual([true, 2])
  shell.tell('Network.networkStatusChange', { connected: false, connectionType: 'none' })
  expect(mayUsePhotoLine()).toBe(false)
})

it('a shell that refuses to say, or knows nothing, does not hold photos back and does not offer it', async () => {
  playShell({
    parts: ['Network'],
    answers: {
      'Network.getStatus': () => {
        throw new Error('no')
      },
    },
  })
  const { mayUsePhotoLine, tellsNetwork, changes } = await begin()
  await vi.waitFor(() => expect(changes()).toBe(1))
  expect([mayUsePhotoLine(), tellsNetwork()]).toEqual([true, false])
})

it('without a shell the browser is asked, and one that says nothing sends on any signal', async () => {
  browserSays('cellular')
  const { mayUsePhotoLine, tellsNetwork } = await begin()
  expect([mayUsePhotoLine(), tellsNetwork()]).toEqual([false, true])
  browserSays('wifi')
  expect(mayUsePhotoLine()).toBe(true)
  browserSays('unknown')
  expect([mayUsePhotoLine(), tellsNetwork()]).toEqual([true, false])
  Reflect.deleteProperty(navigator, 'connection')
  expect([mayUsePhotoLine(), tellsNetwork()]).toEqual([true, false])
})
