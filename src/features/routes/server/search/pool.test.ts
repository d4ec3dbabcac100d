import { afterEach, describe, expect, it, vi } from 'vitest'
import { log } from '../../../../platform/log.ts'
import { Pool, type PoolSettings } from './pool.ts'

/** What the thread of these tests does when it is told; the product's own thread has none of it. */
type Order = {
  do: 'answer' | 'crash' | 'throw' | 'hang' | 'hold' | 'update' | 'write' | 'notice'
  name?: string
  memory?: Int32Array
}

const thread = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', ({ task, flag }) => {
  const end = () => parentPort.postMessage({ answer: task.name ?? task.do })
  if (task.do === 'crash') process.exit(3)
  if (task.do === 'throw') throw new Error('on purpose')
  if (task.do === 'hang') for (;;);
  if (task.do === 'hold') while (Atomics.load(flag, 0) === 0) Atomics.wait(flag, 0, 0, 5)
  if (task.do === 'update') for (const n of [1, 2, 3]) parentPort.postMessage({ update: n })
  if (task.do === 'notice') setTimeout(() => parentPort.postMessage({ notice: 'late' }), 20)
  if (task.do === 'write') Atomics.store(task.memory, 0, 42)
  end()
})`

let pool: Pool<Order, number, string>
const made = (changes: Partial<PoolSettings> = {}) => {
  pool = new Pool({
    entry: new URL(`data:text/javascript,${encodeURIComponent(thread)}`),
    threads: 1,
    hardLimitMs: 5_000,
    stopLimitMs: 1_000,
    mostWaiting: 20,
    ...changes,
  })
  return pool
}
afterEach(() => pool.close())

describe('the planning pool', () => {
  it('takes a word for the log after the answer, and has the thread for the next task', async () => {
    made()
    const warned = vi.spyOn(log, 'warn').mockImplementation(() => undefined)
    expect(await pool.run('a', { do: 'notice' }).done).toBe('notice')
    await vi.waitFor(() => expect(warned).toHaveBeenCalledWith({ reason: 'late' }, expect.stringContaining('alone')))
    warned.mockRestore()
    expect(await pool.run('a', { do: 'answer' }).done).toBe('answer')
  })

  it('shares memory with its threads instead of copying it, and passes news on', async () => {
    made()
    const memory = new Int32Array(new SharedArrayBuffer(8))
    expect(await pool.run('a', { do: 'write', memory }).done).toBe('write')
    expect(memory[0]).toBe(42)
    const news: number[] = []
    const task = pool.run('a', { do: 'update' })
    task.onUpdate((n) => news.push(n))
    await task.done
    expect(news).toEqual([1, 2, 3])
  })

  it.each(['crash', 'throw'] as const)('a thread that does %s fails its own task and is replaced', async (what) => {
    made({ threads: 2 })
    const good = pool.run('b', { do: 'hold', name: 'untouched' })
    await expect(pool.run('a', { do: what }).done).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('Nothing was changed'),
    })
    expect(await pool.run('a', { do: 'answer', name: 'again' }).done).toBe('again')
    good.stop()
    expect(await good.done).toBe('untouched')
  })

  it('a thread that hangs is ended at the hard limit, and what waited behind it runs', async () => {
    made({ hardLimitMs: 3_000 })
    const stuck = pool.run('a', { do: 'hang' })
    const behind = pool.run('b', { do: 'answer', name: 'behind' })
    await expect(stuck.done).rejects.toMatchObject({ message: expect.stringContaining('took too long') })
    expect(await behind.done).toBe('behind')
  })

  it('gives businesses their turns, however many tasks one of them has waiting', async () => {
    made()
    const order: string[] = []
    const run = (scope: string, name: string) => pool.run(scope, { do: 'answer', name }).done.then((n) => order.push(n))
    await Promise.all([
      ...['a1', 'a2', 'a3', 'a4'].map((name) => run('a', name)),
      ...['b1', 'b2'].map((name) => run('b', name)),
      run('c', 'c1'),
    ])
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('begins nothing on the second thread of a task that searches with two, until that task is over', async () => {
    made({ threads: 2 })
    const two = pool.run('a', { do: 'hold', name: 'two' }, 2)
    const other = pool.run('b', { do: 'answer', name: 'other' })
    expect([pool.idle, pool.waiting]).toEqual([0, 1])
    two.stop()
    expect([await two.done, await other.done]).toEqual(['two', 'other'])
    expect(pool.idle).toBe(2)
  })

  it('stops with the best so far; what still waits for its turn is given up', async () => {
    made()
    const first = pool.run('a', { do: 'hold', name: 'best so far' })
    const second = pool.run('a', { do: 'answer' })
    second.stop()
    await expect(second.done).rejects.toMatchObject({
      message: expect.stringContaining('before the search had its turn'),
    })
    first.stop()
    expect(await first.done).toBe('best so far')
  })

  it('ends a thread that does not listen to Stop', async () => {
    made({ stopLimitMs: 200 })
    const task = pool.run('a', { do: 'hang' })
    task.stop()
    await expect(task.done).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('says so when too many wait, and ends all with words when it is closed', async () => {
    made({ mostWaiting: 1 })
    const running = pool.run('a', { do: 'hold' })
    const waiting = pool.run('b', { do: 'hold' })
    await expect(pool.run('c', { do: 'answer' }).done).rejects.toMatchObject({
      message: expect.stringContaining('Many days are being planned'),
    })
    const ends = Promise.allSettled([running.done, waiting.done])
    await pool.close()
    expect((await ends).map((end) => end.status)).toEqual(['rejected', 'rejected'])
    await expect(pool.run('a', { do: 'answer' }).done).rejects.toMatchObject({ code: 'unavailable' })
  })
})
