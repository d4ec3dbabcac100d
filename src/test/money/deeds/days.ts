import { sql } from 'kysely'
import { billDueMonths } from '../../../features/billingplans/server/commands.ts'
import { closingApi } from '../../../features/invoices/closing/contract.ts'
import { daysOfMonth, monthOf, pastMonths } from '../../../features/invoices/closing/rules.ts'
import { invoicesApi } from '../../../features/invoices/contract.ts'
import { chargeLateFees } from '../../../features/invoices/latefees/server/commands.ts'
import { runAutopay } from '../../../features/payments/cards/server/tasks.ts'
import { sweepPages } from '../../../features/payments/checkout/server/commands.ts'
import { sweepDebits } from '../../../features/payments/debits/server/sweep.ts'
import { sweepDisputes } from '../../../features/payments/disputes/server/sync.ts'
import { systemActor } from '../../../platform/actor.ts'
import { runTasks } from '../../api.ts'
import { closedSums } from '../books.ts'
import { type Deed, later, press, type World } from '../world.ts'

// What time does: hours of work by itself, nights that look after what got lost, months that are closed.

/** What runs by itself in a business's day. */
export const morning = async (world: World): Promise<void> => {
  const actor = systemActor(world.own.id)
  await billDueMonths(actor)
  await runAutopay(actor)
  await runTasks()
  await chargeLateFees(actor)
  await runTasks()
  await seeNew(world)
}

/** Invoices that were made by themselves are met by later deeds like any other. */
export const seeNew = async (world: World): Promise<void> => {
  const { rows } = await world.own.db((db) =>
    sql<{
      id: string
      customerId: string
    }>`select i.id, i.customer_id from invoices i where i.business_id = ${db.businessId}
      and i.status <> 'draft' and not i.id = any(${world.invoices.map(({ id }) => id)}::uuid[]) order by i.number`.execute(
      db,
    ),
  )
  for (const { id, customerId } of rows) world.invoices.push({ id, customerId, token: await tokenOf(world, id) })
}

const tokenOf = async ({ api }: World, id: string): Promise<string> =>
  ((await api.ok(invoicesApi.get, { params: { id } })).publicPath ?? '').split('/').at(-1) ?? ''

const daysPass: Deed = async (world, dice) => {
  const days = dice(3) === 0 ? 31 : 1 + dice(9)
  await later(world, days)
  await morning(world)
  return `it is ${world.day}`
}

const hourly: Deed = async (world) => {
  await morning(world)
  return 'an hour'
}

const night: Deed = async (world) => {
  const actor = systemActor(world.own.id)
  await sweepPages(actor)
  await sweepDebits(actor)
  await sweepDisputes(actor)
  await runTasks()
  return 'a night'
}

const close: Deed = async (world, dice) => {
  const [month = ''] = pastMonths(world.day, 1)
  const done = await press(world, dice, closingApi.close, { body: { month, leaveOpen: true } })
  if (!done) return null
  const through = daysOfMonth(month).to
  world.closed = { through, sums: await closedSums(world, through) }
  return `closed ${month}`
}

const reopen: Deed = async (world, dice) => {
  if (!world.closed) return null
  const month = monthOf(world.closed.through)
  const done = await press(world, dice, closingApi.reopen, { body: { month, reason: 'A check was forgotten' } })
  if (!done) return null
  world.closed = null
  return `opened ${month}`
}

export const days = { daysPass, hourly, night, close, reopen }
