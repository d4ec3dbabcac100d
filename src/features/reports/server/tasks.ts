import { type Actor, hasPermission, type SystemActor } from '../../../platform/actor.ts'
import { clock } from '../../../platform/clock.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { publishChange } from '../../../platform/events/changes.ts'
import { removeObject, storeObject } from '../../../platform/storage.ts'
import type { GlobalTask, Schedule } from '../../../platform/tasks/runner.ts'
import { forEach, forEachOpenBusiness } from '../../../platform/tasks/walk.ts'
import { dayOf } from '../../../shared/dates.ts'
import { AppError } from '../../../shared/errors.ts'
import { timeZoneOf } from '../../businesses/server/queries.ts'
import { addDocumentTx, forgetDocumentsTx } from '../../files/server/commands.ts'
import { queueMessage } from '../../messages/server/commands.ts'
import type { Report, SavedReport } from '../contract.ts'
import { kindInfo, mostRows, type ReportFormat, whenText } from '../rules.ts'
import { filesSince, nextAtOf } from './commands.ts'
import { fileName, mimeOf, reportFile } from './files.ts'
import { findReader, getSaved, runReport } from './queries.ts'
import { reportMail } from './templates.ts'

type Mailing = NonNullable<SavedReport['mailing']>
type Reader = Actor & { email: string }
/** Files are stored once the turn is taken: one that is drawn again and again leaves nothing behind. */
type Drawn = { report: Report; files: { bytes: Uint8Array; mime: string; name: string }[] }

const dueReports = (actor: SystemActor) =>
  withTenant(actor, async (db) =>
    db
      .selectFrom('reportMailings')
      .select(['reportId', 'setBy', 'nextAt', 'rhythm', 'weekday', 'monthDay', 'hour'])
      .where('businessId', '=', db.businessId)
      .where('nextAt', '<=', clock.iso())
      .orderBy('nextAt')
      .limit(100)
      .execute(),
  )

/** The report with its files as somebody may see it. */
const draw = async (reader: Reader, saved: SavedReport, formats: readonly ReportFormat[]): Promise<Drawn> => {
  const { report, business } = await withTenant(reader, async (db) => ({
    report: await runReport(db, reader, saved.kind, saved.settings, mostRows),
    business: await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow(),
  }))
  const files: Drawn['files'] = []
  for (const format of formats) {
    const bytes = await reportFile(report, format, {
      name: saved.name,
      business: business.name,
      today: dayOf(clock.now(), reader.timeZone),
    })
    files.push({ bytes, mime: mimeOf[format], name: fileName(saved.name, report, format) })
  }
  return { report, files }
}

type Turn = Awaited<ReturnType<typeof dueReports>>[number]

/** Leaves a turn out for the next one of its rhythm, and keeps why. */
const passTurn = (actor: SystemActor, { reportId, nextAt: at, ...when }: Turn, problem: string) =>
  withTenant(actor, async (db) => {
    await db
      .updateTable('reportMailings')
      .set({ nextAt: nextAtOf(when, await timeZoneOf(db)), problem, updatedAt: clock.iso() })
      .where('businessId', '=', db.businessId)
      .where('reportId', '=', reportId)
      .where('nextAt', '=', at)
      .execute()
    await publishChange(db, 'reports', [reportId])
  })

/** Two people who may see the same columns have the same files. */
const sightOf = (reader: Actor): string =>
  (['money', 'payroll', 'schedule'] as const).filter((one) => hasPermission(reader, one)).join()

/**
 * Sends a report whose turn has come, once: its mails are queued in the transaction that moves the turn on, whoever looks at the same time. Each person's
 * files hold what they may see today; those for other addresses what the one may see who set it up.
 */
const sendTurn = async (actor: SystemActor, turn: Turn) => {
  const { reportId, setBy, nextAt: at } = turn
  const setter = await withTenant(actor, (db) => findReader(db, setBy))
  if (!setter) return passTurn(actor, turn, 'Whoever set this up left the office. Set its mails up again.')
  if (!setter.subscriptionActive) return passTurn(actor, turn, 'Its last mail was left out: it needs a plan.')
  let saved: SavedReport
  try {
    saved = await withTenant(actor, (db) => getSaved(db, setter, reportId))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return passTurn(actor, turn, `${setter.name}, who set this up, may not see this report any more.`)
  }
  const mailing: Mailing | null = saved.mailing
  if (!mailing) return
  const nextAt = nextAtOf(mailing, setter.timeZone)
  const people = await withTenant(actor, async (db) => {
    const found: Reader[] = []
    for (const id of mailing.userIds) {
      const reader = await findReader(db, id)
      if (reader && hasPermission(reader, kindInfo[saved.kind].permission)) found.push(reader)
    }
    return found
  })
  const left = mailing.userIds.length - people.length
  const drawn = new Map<string, Drawn>()
  try {
    for (const reader of [...people, ...(mailing.emails.length > 0 ? [setter] : [])])
      if (!drawn.has(sightOf(reader))) drawn.set(sightOf(reader), await draw(reader, saved, mailing.formats))
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return passTurn(actor, turn, error.message)
  }
  await withTenant(actor, async (db) => {
    const taken = await db
      .updateTable('reportMailings')
      .set({
        nextAt,
        lastSentAt: clock.iso(),
        problem:
          left > 0 ? `${left === 1 ? 'One person' : `${left} people`} may not have it any more and got none.` : '',
        updatedAt: clock.iso(),
      })
      .where('businessId', '=', db.businessId)
      .where('reportId', '=', reportId)
      .where('nextAt', '=', at)
      .returning('reportId')
      .executeTakeFirst()
    // somebody sent it, or changed it, while it was drawn
    if (!taken) return
    const { name: business } = await db
      .selectFrom('businesses')
      .select('name')
      .where('businessId', '=', db.businessId)
      .executeTakeFirstOrThrow()
    const fileIds = new Map<string, { fileId: string; name: string }[]>()
    for (const [sight, { files }] of drawn) {
      const attached: { fileId: string; name: string }[] = []
      for (const { bytes, ...file } of files) {
        const stored = await storeObject(db.businessId, bytes)
        attached.push({ fileId: await addDocumentTx(db, 'report', { ...stored, ...file }), name: file.name })
      }
      fileIds.set(sight, attached)
    }
    const queued: string[] = []
    const queue = async (address: string, reader: Reader, person: Reader | null) => {
      const sight = sightOf(reader)
      const found = drawn.get(sight)
      if (!found) return
      const id = await queueMessage(db, {
        channel: 'email',
        purpose: 'account',
        address,
        ...(person ? { userId: person.userId } : {}),
        entity: { type: 'report', id: reportId },
        dedupeKey: `report:${reportId}:${at}:${address.toLowerCase()}`,
        attachments: fileIds.get(sight) ?? [],
        ...reportMail(found.report, {
          name: saved.name,
          business,
          when: whenText(mailing),
          person: person?.name ?? null,
          savedId: reportId,
        }),
      })
      queued.push(id)
    }
    for (const person of people) await queue(person.email, person, person)
    for (const address of mailing.emails) await queue(address, setter, null)
    await db
      .updateTable('reportMailings')
      .set({ lastMessageIds: queued })
      .where('businessId', '=', db.businessId)
      .where('reportId', '=', reportId)
      .execute()
    await publishChange(db, 'reports', [reportId])
  })
}

/** Sends the reports of a business whose turn has come; one that fails holds no other back. */
export const sendReports = async (actor: SystemActor): Promise<void> =>
  forEach(
    'mailed reports',
    await dueReports(actor),
    ({ reportId }) => ({ reportId }),
    (turn) => sendTurn(actor, turn),
  )

/** Looks every ten minutes whose turn has come; in each business's own day and hour. */
export const sendAllReports: GlobalTask = {
  name: 'reports.send',
  run: () => forEachOpenBusiness('mailed reports', sendReports),
}

export const sendAllReportsSchedule: Schedule = {
  task: sendAllReports.name,
  match: '4,14,24,34,44,54 * * * *',
  onlyLatest: true,
}

const filesAtOnce = 500

/** Takes the files of mails of long ago off the disk. */
export const forgetFiles = async (actor: SystemActor): Promise<void> => {
  for (;;) {
    const keys = await withTenant(actor, (db) =>
      forgetDocumentsTx(db, 'report', { before: filesSince(), limit: filesAtOnce }),
    )
    for (const key of keys) await removeObject(key)
    if (keys.length === 0) return
  }
}

export const forgetReportFiles: GlobalTask = {
  name: 'reports.forgetFiles',
  run: () => forEachOpenBusiness('files of reports', forgetFiles),
}

export const forgetReportFilesSchedule: Schedule = {
  task: forgetReportFiles.name,
  match: '37 4 * * *',
  onlyLatest: true,
}
