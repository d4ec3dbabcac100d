import { afterEach, describe, expect, it } from 'vitest'
import { systemActor } from '../../../platform/actor.ts'
import { clock, resetClock, setClock } from '../../../platform/clock.ts'
import { isStored, readObject } from '../../../platform/storage.ts'
import { addDays, instantAt, startOfWeek } from '../../../shared/dates.ts'
import type { Permission } from '../../../shared/roles.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { aVisit, setClockToNoon, today } from '../../../test/field.ts'
import { visitsApi } from '../../visits/contract.ts'
import { type MailingDraft, type ReportSettings, reportsApi } from '../contract.ts'
import type { ReportKind } from '../rules.ts'
import { forgetFiles, sendReports } from './tasks.ts'

afterEach(resetClock)

const save = (
  own: TestBusiness,
  kind: ReportKind = 'skips',
  name = 'Skips of the week',
  settings: ReportSettings = { period: 'last_7' },
) => own.api.ok(reportsApi.save, { body: { name, kind, settings } })

const mailing = (changes: Partial<MailingDraft> = {}): MailingDraft => ({
  rhythm: 'weekly',
  weekday: 1,
  monthDay: 1,
  hour: 7,
  formats: ['csv'],
  userIds: [],
  emails: ['Books@Accountant.test'],
  ...changes,
})
const set = (own: TestBusiness, saved: { id: string; version: number }, draft: MailingDraft | null) =>
  own.api.ok(reportsApi.mail, { params: { id: saved.id }, body: { version: saved.version, mailing: draft } })

/** The first Monday after a week from now: whatever was set up today waits for it. */
const monday = () => addDays(startOfWeek(today()), 14)
const lookAt = async (own: TestBusiness, day: string, minute: number, times = 1) => {
  setClock(() => new Date(instantAt(day, minute, 'America/New_York')))
  await Promise.all(Array.from({ length: times }, () => sendReports(systemActor(own.id)))).finally(() => {
    resetClock()
    setClockToNoon()
  })
}
const sent = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['address', 'subject', 'attachments', 'bodyText'])
      .where('businessId', '=', own.id)
      .where('entityType', '=', 'report')
      .orderBy('address')
      .execute(),
  )
/** The file in the mail to somebody. */
const attached = async (own: TestBusiness, address: string): Promise<string> => {
  const mail = (await sent(own)).find((one) => one.address === address)
  const [file] = (mail?.attachments ?? []) as { fileId: string }[]
  const found = (await files(own)).find(({ id }) => id === file?.fileId)
  return String(await readObject(found?.storageKey ?? '')).replace('\uFEFF', '')
}
const files = (own: TestBusiness) =>
  own.db((db) =>
    db
      .selectFrom('files')
      .select(['id', 'storageKey'])
      .where('businessId', '=', own.id)
      .where('kind', '=', 'report')
      .execute(),
  )
const permit = (own: TestBusiness, userId: string, permissions: Permission[]) =>
  own.db((db) =>
    db.updateTable('users').set({ permissions }).where('businessId', '=', own.id).where('id', '=', userId).execute(),
  )
const listed = async (own: TestBusiness, id: string) =>
  (await own.api.ok(reportsApi.list, {})).saved.find((one) => one.id === id)

describe('a saved report', () => {
  it('is the whole office’s, under one name once, and changed over nobody’s change', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const saved = await save(own)
    const admin = await own.admin()
    expect((await admin.api.ok(reportsApi.list, {})).saved).toMatchObject([
      { name: 'Skips of the week', kind: 'skips', settings: { period: 'last_7' }, can: { change: true, mail: true } },
    ])
    const again = await own.api.call(reportsApi.save, {
      body: { name: 'skips of THE week', kind: 'tax', settings: {} },
    })
    expect([again.status, again.error.errors?.[0]]).toEqual([
      422,
      { path: 'name', message: 'There is a report of this name. Choose another one.' },
    ])
    const settings = { period: 'last_month' as const, columns: 'skips,name' }
    const changed = await admin.api.ok(reportsApi.change, {
      params: { id: saved.id },
      body: { version: saved.version, name: 'Skips', settings },
    })
    expect(changed).toMatchObject({ name: 'Skips', settings, version: 2 })
    const late = await own.api.call(reportsApi.change, { params: { id: saved.id }, body: { version: 1, name: 'Mine' } })
    expect([late.status, late.error.code]).toEqual([409, 'version_conflict'])
    const wrong = await own.api.call(reportsApi.change, {
      params: { id: saved.id },
      body: { version: 2, settings: { period: 'custom', from: '2024-01-01', to: '2026-01-01' } },
    })
    expect([wrong.status, wrong.error.errors?.[0]?.path]).toEqual([422, 'settings.to'])
    const other = await aBusiness()
    expect((await other.api.call(reportsApi.remove, { params: { id: saved.id } })).status).toBe(404)
    expect((await other.api.ok(reportsApi.list, {})).saved).toEqual([])
    await own.api.ok(reportsApi.remove, { params: { id: saved.id } })
    expect((await own.api.ok(reportsApi.list, {})).saved).toEqual([])
  })

  it('of money is neither listed for nor changed by who may not have it', async () => {
    const own = await aBusiness()
    const saved = await save(own, 'tax', 'Tax')
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    expect((await dispatcher.api.ok(reportsApi.list, {})).saved).toEqual([])
    const change = { params: { id: saved.id }, body: { version: 1, name: 'X' } }
    expect((await dispatcher.api.call(reportsApi.change, change)).status).toBe(403)
    const body = { version: 1, mailing: mailing() }
    expect((await dispatcher.api.call(reportsApi.mail, { params: { id: saved.id }, body })).status).toBe(403)
    const employee = await own.employee()
    expect((await employee.api.call(reportsApi.list, {})).status).toBe(403)
    const draft = mailing({ formats: ['csv', 'pdf'], userIds: [dispatcher.userId] })
    const refused = await own.api.call(reportsApi.mail, {
      params: { id: saved.id },
      body: { version: 1, mailing: draft },
    })
    expect([refused.status, refused.error.errors?.[0]?.message]).toEqual([
      422,
      `${dispatcher.name} may not see “Sales tax”.`,
    ])
  })
})

describe('a report by mail', () => {
  it('goes out once at its hour of the business’s day, with its files, however many look', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const { visitId } = await aVisit(own, { customer: 'Ann' })
    await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'locked_gate' } })
    const draft = mailing({
      formats: ['csv', 'pdf'],
      userIds: [own.owner.userId],
      emails: ['Books@Accountant.test', 'books@accountant.test'],
    })
    const saved = await set(own, await save(own), draft)
    expect(saved.mailing).toMatchObject({ emails: ['books@accountant.test'], lastSentAt: null, problem: '' })
    // it waits for the first Monday: nothing before its hour
    await own.db((db) =>
      db
        .updateTable('reportMailings')
        .set({ nextAt: instantAt(monday(), 420, 'America/New_York') })
        .where('businessId', '=', own.id)
        .execute(),
    )
    await lookAt(own, monday(), 419)
    expect(await sent(own)).toEqual([])
    await lookAt(own, monday(), 421, 2)
    await lookAt(own, monday(), 440)
    const mails = await sent(own)
    expect(mails.map(({ address }) => address).sort()).toEqual([own.owner.email, 'books@accountant.test'].sort())
    for (const { attachments, subject } of mails) {
      expect((attachments as { name: string }[]).map(({ name }) => name)).toEqual([
        expect.stringMatching(/^skips-of-the-week-.*\.csv$/),
        expect.stringMatching(/^skips-of-the-week-.*\.pdf$/),
      ])
      expect(subject).toContain('Skips of the week: ')
    }
    // only who signs in has the way to the screen
    expect(
      mails.filter(({ bodyText }) => bodyText.includes('/tools?tab=reports')).map(({ address }) => address),
    ).toEqual([own.owner.email])
    expect((await listed(own, saved.id))?.mailing).toMatchObject({
      nextAt: instantAt(addDays(monday(), 7), 420, 'America/New_York'),
      problem: '',
    })
    await lookAt(own, addDays(monday(), 7), 430)
    expect(await sent(own)).toHaveLength(4)
    // stopped, it comes no more
    const now = await listed(own, saved.id)
    await set(own, { id: saved.id, version: now?.version ?? 0 }, null)
    await lookAt(own, addDays(monday(), 14), 430)
    expect(await sent(own)).toHaveLength(4)
  })

  it('holds for each what they may see, and nothing for who may not have it any more', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    const admin = await own.admin()
    const { visitId } = await aVisit(own, { customer: 'Ann' })
    await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'locked_gate' } })
    const report = await save(own, 'skips', 'Skips', { period: 'last_30' })
    const userIds = [dispatcher.userId, admin.userId, own.owner.userId]
    await set(own, report, mailing({ userIds, emails: [] }))
    await permit(own, admin.userId, [])
    await lookAt(own, monday(), 430)
    const mails = await sent(own)
    expect(mails.map(({ address }) => address).sort()).toEqual([dispatcher.email, own.owner.email].sort())
    const heads = async (address: string) => (await attached(own, address)).split('\r\n')[0]
    expect(await heads(own.owner.email)).toContain('Charged')
    expect(await heads(dispatcher.email)).toBe('Reason,Skipped,Share of skips (%),With a charge')
    expect(await attached(own, dispatcher.email)).toContain('Locked gate,1,')
    const [saved] = (await own.api.ok(reportsApi.list, {})).saved
    expect(saved?.mailing?.problem).toBe('One person may not have it any more and got none.')
    expect(saved?.mailing?.gone).toEqual([admin.name])
    // only who may have it is offered, and the mails are set up again without the other
    const { recipients } = (await own.api.ok(reportsApi.list, {})).choices
    const may = (userId: string) => recipients.find(({ id }) => id === userId)?.kinds
    expect([may(dispatcher.userId), may(admin.userId)]).toEqual([['routes', 'skips', 'chemicals'], []])
    await own.db((db) =>
      db.updateTable('users').set({ status: 'invited' }).where('id', '=', dispatcher.userId).execute(),
    )
    const now = await own.api.ok(reportsApi.list, {})
    expect(now.choices.recipients.map(({ id }) => id)).not.toContain(dispatcher.userId)
    expect(now.saved[0]?.mailing?.gone.sort()).toEqual([admin.name, dispatcher.name].sort())
  })

  it('says what became of its last mails, and none leaves a business that was closed', async () => {
    setClockToNoon()
    const own = await aBusiness()
    await set(own, await save(own), mailing({ emails: ['a@books.test', 'b@books.test'] }))
    await lookAt(own, monday(), 430)
    const news = async () => {
      const [saved] = (await own.api.ok(reportsApi.list, {})).saved
      return [saved?.mailing?.waiting, saved?.mailing?.notReached]
    }
    expect(await news()).toEqual([2, []])
    await own.db(async (db) => {
      await db
        .updateTable('messages')
        .set({ status: 'failed', reason: 'The mailbox does not exist' })
        .where('businessId', '=', own.id)
        .where('address', '=', 'a@books.test')
        .execute()
      await db
        .updateTable('businesses')
        .set({ closedAt: clock.iso(), deleteAfter: clock.iso() })
        .where('businessId', '=', own.id)
        .execute()
    })
    await runTasks()
    await own.db((db) =>
      db
        .updateTable('businesses')
        .set({ closedAt: null, deleteAfter: null })
        .where('businessId', '=', own.id)
        .execute(),
    )
    const reasons = [
      { address: 'a@books.test', reason: 'The mailbox does not exist' },
      { address: 'b@books.test', reason: 'The business was closed' },
    ]
    expect(await news()).toEqual([0, expect.arrayContaining(reasons)])
  })

  it('keeps its files for a while and no longer than the report itself', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const first = await set(own, await save(own), mailing())
    const second = await set(own, await save(own, 'skips', 'Others'), mailing())
    await lookAt(own, monday(), 430)
    const keysOf = async () => (await files(own)).map(({ storageKey }) => storageKey)
    const stored = (keys: string[]) => Promise.all(keys.map(isStored))
    const kept = await keysOf()
    expect(await stored(kept)).toEqual([true, true])
    // two reports may lie in the same bytes: they go with the last of them
    await own.api.ok(reportsApi.remove, { params: { id: second.id } })
    const left = await keysOf()
    expect(await stored(left)).toEqual([true])
    const others = await own.db((db) =>
      db
        .selectFrom('messages')
        .select('status')
        .where('businessId', '=', own.id)
        .where('entityId', '=', second.id)
        .execute(),
    )
    expect(others).toEqual([{ status: 'suppressed' }])
    await forgetFiles(systemActor(own.id))
    expect(await keysOf()).toEqual(left)
    const later = new Date(instantAt(addDays(monday(), 31), 0, 'America/New_York'))
    setClock(() => later)
    await forgetFiles(systemActor(own.id))
    expect(await files(own)).toEqual([])
    expect(await stored(left)).toEqual([false])
    expect(first.id).not.toBe(second.id)
  })

  it('shows an outside address what the one may see who named it, whoever moves its hour', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    const { visitId } = await aVisit(own, { customer: 'Ann' })
    await own.api.ok(visitsApi.skip, { params: { visitId }, body: { reason: 'locked_gate' } })
    const report = await save(own, 'skips', 'Skips', { period: 'last_30' })
    const { version } = await dispatcher.api.ok(reportsApi.mail, {
      params: { id: report.id },
      body: { version: report.version, mailing: mailing() },
    })
    await set(own, { id: report.id, version }, mailing({ hour: 6 }))
    await lookAt(own, monday(), 430)
    expect(await attached(own, 'books@accountant.test')).not.toContain('Charged')
  })

  it('waits where who set it up may not see it, or where the plan has lapsed, and says so', async () => {
    setClockToNoon()
    const own = await aBusiness()
    const admin = await own.admin()
    const saved = await save(own, 'tax', 'Tax')
    await admin.api.ok(reportsApi.mail, { params: { id: saved.id }, body: { version: 1, mailing: mailing() } })
    await own.db((db) =>
      db.updateTable('businesses').set({ subscriptionStatus: 'canceled' }).where('businessId', '=', own.id).execute(),
    )
    await lookAt(own, monday(), 430)
    expect(await sent(own)).toEqual([])
    await own.db((db) =>
      db.updateTable('businesses').set({ subscriptionStatus: 'active' }).where('businessId', '=', own.id).execute(),
    )
    expect((await listed(own, saved.id))?.mailing?.problem).toBe('Its last mail was left out: it needs a plan.')
    await own.db((db) =>
      db
        .updateTable('users')
        .set({ permissions: ['schedule'] })
        .where('id', '=', admin.userId)
        .execute(),
    )
    await lookAt(own, addDays(monday(), 7), 430)
    expect(await sent(own)).toEqual([])
    expect((await listed(own, saved.id))?.mailing?.problem).toContain('may not see this report any more')
  })

  it('needs somebody to go to, and a kind of file', async () => {
    const own = await aBusiness()
    const saved = await save(own)
    const asked = async (draft: Partial<MailingDraft>) => {
      const body = { version: saved.version, mailing: mailing(draft) }
      const { status, error } = await own.api.call(reportsApi.mail, { params: { id: saved.id }, body })
      return [status, error.errors?.[0]?.path]
    }
    expect(await asked({ emails: [] })).toEqual([422, 'mailing.userIds'])
    expect(await asked({ formats: [] })).toEqual([422, 'mailing.formats'])
    expect(await asked({ emails: ['no address'] })).toEqual([422, 'mailing.emails'])
    expect(await asked({ hour: 24 })).toEqual([422, 'mailing.hour'])
    const employee = await own.employee()
    expect(await asked({ userIds: [employee.userId] })).toEqual([422, 'mailing.userIds'])
    expect((await listed(own, saved.id))?.mailing).toBeNull()
  })
})
