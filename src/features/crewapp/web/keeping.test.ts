import { beforeEach, expect, it } from 'vitest'
import { ApiError } from '../../../shared/client.ts'
import type { CrewCommand } from '../rules.ts'
import { aPhone } from './aPhone.ts'
import { canTakeBack, unkeptOf } from './outboxState.ts'

/** Taps that a full phone holds in the memory of the app. */

let phone: ReturnType<typeof aPhone>
beforeEach(() => {
  phone = aPhone()
})
const input = (type: CrewCommand['type'], holdMs = 0) => ({ type, visitId: 'v', payload: {}, label: 'Oak St', holdMs })
const noSignal = new ApiError('network', 'no', 0)
const full = (is: boolean) => {
  phone.cannotAdd = is
  phone.cannotWrite = is
}
const opened = async (userId = 'luis') => {
  const outbox = phone.open(userId)
  await outbox.reload()
  return outbox
}
const kinds = (outbox: Awaited<ReturnType<typeof opened>>) => outbox.get().commands.map(({ command }) => command.type)

it('two that fail in one breath both leave', async () => {
  const outbox = await opened()
  full(true)
  await Promise.all([outbox.enqueue(input('finish')), outbox.enqueue(input('note'))])
  await phone.settle()
  expect(phone.log.filter((line) => line.startsWith('sent')).join(' ')).toMatch(/finish.*note/)
  expect(outbox.get()).toMatchObject({ commands: [], full: true })
})

it('are each written as their own once there is room, also where two people use the phone', async () => {
  const [luis, ana] = [await opened('luis'), await opened('ana')]
  full(true)
  phone.answer = () => noSignal
  await luis.enqueue(input('start'))
  await ana.enqueue(input('finish'))
  await phone.settle()
  expect([unkeptOf(luis.get()), unkeptOf(ana.get())]).toEqual([1, 1])
  full(false)
  await luis.reload()
  await ana.reload()
  expect([...phone.commands.values()].map(({ userId, command }) => [userId, command.type])).toEqual([
    ['luis', 'start'],
    ['ana', 'finish'],
  ])
  expect([unkeptOf(luis.get()), kinds(luis), kinds(ana), luis.get().full]).toEqual([0, ['start'], ['finish'], false])
})

it('one that leaves while it is written goes once, and none of it stays', async () => {
  const outbox = await opened()
  full(true)
  const way = Promise.withResolvers<void>()
  phone.tapTakes = way.promise
  await outbox.enqueue(input('finish'))
  await phone.settle()
  full(false)
  await outbox.reload()
  way.resolve()
  await phone.settle()
  expect([outbox.get().commands, phone.commands.size, outbox.get().full]).toEqual([[], 0, false])
  expect(phone.log.filter((line) => line.startsWith('sent'))).toEqual(['sent finish'])
})

it('nothing is held before it is known what waits: older taps would come after it', async () => {
  const outbox = phone.open()
  full(true)
  await expect(outbox.enqueue(input('finish'))).rejects.toThrow()
})

it('a tap that has left at once is nothing to take back', async () => {
  const outbox = await opened()
  const kept = await outbox.enqueue(input('finish', 6000))
  const now = outbox.get().commands[0]?.queuedAt ?? 0
  expect(canTakeBack(outbox.get(), kept.id, now)).toBe(true)
  full(true)
  const gone = await outbox.enqueue(input('skip', 6000))
  expect(canTakeBack(outbox.get(), gone.id, now)).toBe(false)
})
