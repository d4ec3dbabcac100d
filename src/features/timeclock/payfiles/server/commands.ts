import { sql } from 'kysely'
import type { z } from 'zod'
import type { Actor } from '../../../../platform/actor.ts'
import { audit } from '../../../../platform/audit.ts'
import { clock } from '../../../../platform/clock.ts'
import { type TenantDb, withTenant } from '../../../../platform/db/tenant.ts'
import { publishChange } from '../../../../platform/events/changes.ts'
import { newId } from '../../../../platform/ids.ts'
import { refuse } from '../../../../shared/can.ts'
import { csvText } from '../../../../shared/csv.ts'
import { conflict } from '../../../../shared/errors.ts'
import { presetLabel } from '../../payroll/rules.ts'
import { getPayRules } from '../../payroll/server/settings.ts'
import type { PayFile, payfilesApi } from '../contract.ts'
import { fileRows, needsNumber, withdrawRefusal } from '../rules.ts'
import { getPayFile, planFile } from './queries.ts'

/** One file at a time, so that nobody's week is in two. */
const holdFilesTx = async (db: TenantDb): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`payroll-files:${db.businessId}`}, 0))`.execute(db)
}

const nameOf = async (db: TenantDb, { preset, from, to }: { preset: string; from: string; to: string }) => {
  const { before } = await db
    .selectFrom('payrollFiles')
    .select((eb) => eb.fn.countAll<number>().as('before'))
    .where('businessId', '=', db.businessId)
    .where('fromDay', '=', from)
    .where('toDay', '=', to)
    .executeTakeFirstOrThrow()
  const part = Number(before) === 0 ? '' : `-${Number(before) + 1}`
  return `payroll-${preset}-${from}-to-${to}${part}.csv`
}

/** Writes what is approved and in no file yet. @throws state_conflict where nothing is, or the provider asks for a number or a code */
export const makePayFile = (
  actor: Actor,
  { preset, from, to }: z.output<typeof payfilesApi.make.body>,
): Promise<PayFile> =>
  withTenant(actor, async (db) => {
    await holdFilesTx(db)
    const { pays, weeks } = await planFile(db, actor, { from, to })
    const { settings } = await getPayRules(db)
    if (pays.length === 0)
      throw conflict(
        'There is nothing to write: all approved time of these weeks is in a file already. You can download that one again.',
      )
    const numberless = needsNumber.includes(preset)
      ? [...new Set(weeks.filter(({ number }) => number === '').map(({ name }) => name))]
      : []
    if (numberless.length > 0)
      throw conflict(
        `${presetLabel[preset]} knows people by their number. Nothing was written. Give one to ${numberless.join(', ')} first.`,
      )
    if (needsNumber.includes(preset) && settings.companyCode === '')
      throw conflict(`${presetLabel[preset]} asks for your company code. Type it in the payroll settings first.`)
    const id = newId()
    const sums = {
      people: new Set(pays.map(({ userId }) => userId)).size,
      grossCents: pays.reduce((sum, one) => sum + one.grossCents, 0),
      mileageCents: pays.reduce((sum, one) => sum + one.mileageCents, 0),
    }
    await db
      .insertInto('payrollFiles')
      .values({
        businessId: db.businessId,
        id,
        fromDay: from,
        toDay: to,
        preset,
        name: await nameOf(db, { preset, from, to }),
        content: csvText(fileRows(preset, weeks, settings)),
        ...sums,
        madeBy: actor.userId,
        madeAt: clock.iso(),
      })
      .execute()
    for (let at = 0; at < pays.length; at += 500)
      await db
        .insertInto('payrollFileWeeks')
        .values(
          pays.slice(at, at + 500).map(({ userId, week, grossCents, mileageCents }) => ({
            businessId: db.businessId,
            id: newId(),
            fileId: id,
            userId,
            week,
            grossCents,
            mileageCents,
          })),
        )
        .execute()
    await audit(db, actor, 'payroll.file', { type: 'payroll_file', id }, { after: { preset, from, to, ...sums } })
    await publishChange(db, 'timeclock')
    return getPayFile(db, id)
  })

/** Takes back a file that was not read in. @throws not_found, state_conflict */
export const withdrawPayFile = (actor: Actor, id: string): Promise<PayFile> =>
  withTenant(actor, async (db) => {
    await holdFilesTx(db)
    const file = await getPayFile(db, id)
    refuse(withdrawRefusal(file))
    await db.deleteFrom('payrollFileWeeks').where('businessId', '=', db.businessId).where('fileId', '=', id).execute()
    await db
      .updateTable('payrollFiles')
      .set({ withdrawnAt: clock.iso(), withdrawnBy: actor.userId })
      .where('businessId', '=', db.businessId)
      .where('id', '=', id)
      .execute()
    await audit(db, actor, 'payroll.fileBack', { type: 'payroll_file', id }, { before: { name: file.name } })
    await publishChange(db, 'timeclock')
    return getPayFile(db, id)
  })
