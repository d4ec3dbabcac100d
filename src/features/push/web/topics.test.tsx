import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PushTopic } from '../contract.ts'
import { useTopics } from './data.ts'

type Asked = { topic: PushTopic; on: boolean; answer: (ok?: boolean) => void }
const server = vi.hoisted(() => ({ muted: new Set<string>(), asked: [] as unknown[] }))
vi.mock('../../../shared/client.ts', async (original) => ({
  ...(await original<object>()),
  call: (endpoint: { method: string }, { body }: { body?: { topic: string; on: boolean } }) => {
    const own = () => ({ can: {}, key: null, devices: [], muted: [...server.muted] })
    if (endpoint.method === 'GET' || !body) return Promise.resolve(own())
    return new Promise((resolve, reject) => {
      const answer = (ok = true) => {
        if (!ok) return reject(new Error('no signal'))
        if (body.on) server.muted.delete(body.topic)
        else server.muted.add(body.topic)
        resolve(own())
      }
      server.asked.push({ ...body, answer })
    })
  },
}))
vi.mock('./thisDevice.ts', () => ({
  hashHere: async () => null,
  kindHere: () => null,
  switchOn: vi.fn(),
  switchOff: vi.fn(),
}))

beforeEach(() => {
  server.muted.clear()
  server.asked.length = 0
})

const open = async () => {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useTopics('luis'), { wrapper })
  await act(async () => undefined)
  const asked = async (index: number): Promise<Asked> => {
    await waitFor(() => expect(server.asked.length).toBeGreaterThan(index))
    return server.asked[index] as Asked
  }
  const tap = (topic: PushTopic, on: boolean) => act(async () => result.current.choose(topic, on))
  const shown = () => [result.current.isOn('chat'), result.current.isOn('day')]
  return { result, asked, tap, shown }
}

it('two switches one after the other stay as they were tapped while the first answer is slow, and after it', async () => {
  const { asked, tap, shown } = await open()
  await tap('chat', false)
  await tap('day', false)
  expect(shown()).toEqual([false, false])
  const first = await asked(0)
  await act(async () => first.answer())
  expect(shown()).toEqual([false, false])
  const second = await asked(1)
  expect([first.topic, second.topic]).toEqual(['chat', 'day'])
  await act(async () => second.answer())
  expect([shown(), [...server.muted]]).toEqual([
    [false, false],
    ['chat', 'day'],
  ])
})

it('of two taps on the same switch the last one holds, here and on the server, in their order', async () => {
  const { asked, tap, shown } = await open()
  await tap('chat', false)
  await tap('chat', true)
  expect(shown()[0]).toBe(true)
  const first = await asked(0)
  // the second waits for the first: it could overtake it on the way
  expect(server.asked).toHaveLength(1)
  await act(async () => first.answer())
  expect(shown()[0]).toBe(true)
  const second = await asked(1)
  await act(async () => second.answer())
  expect([shown()[0], [...server.muted]]).toEqual([true, []])
})

it('a tap that failed goes back by itself and says so, and leaves the others', async () => {
  const { result, asked, tap, shown } = await open()
  await tap('chat', false)
  await tap('day', false)
  await act(async () => (await asked(0)).answer(false))
  expect(shown()).toEqual([true, false])
  expect([result.current.errorOf('chat') !== null, result.current.errorOf('day')]).toEqual([true, null])
  await act(async () => (await asked(1)).answer())
  expect(shown()).toEqual([true, false])
})
