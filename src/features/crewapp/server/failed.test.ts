import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { ownerPool } from '../../../platform/db/database.ts'
import { newId } from '../../../platform/ids.ts'
import { dayOf, startOfWeek } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { runTasks } from '../../../test/api.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../test/field.ts'
import { chatApi } from '../../chat/contract.ts'
import { dashboardApi } from '../../dashboard/contract.ts'
import { notificationsApi } from '../../notifications/contract.ts'
import { timeclockApi } from '../../timeclock/contract.ts'
import { sheetsApi } from '../../timeclock/sheets/contract.ts'
import { visitsApi } from '../../visits/contract.ts'
import { conflictsApi } from '../conflicts/contract.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType, CrewCommand } from '../rules.ts'

/** One command over which the server breaks, or one message too many, holds up nothing that was done after it. */

const zone = 'America/New_York'
let business: TestBusiness
let luis: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
  await ownerPool().query(`
    create function break_for_test() returns trigger language plpgsql as $$ begin raise exception 'broken for a test'; end $$;
    create trigger break_notes before update on visits for each row when (new.note like '%BREAK%') execute function break_for_test();
    create trigger break_breaks before insert on time_entries for each row when (new.kind = 'rain') execute function break_for_test();`)
})
afterAll(async () => {
  await ownerPool().query(
    'drop trigger break_notes on visits; drop trigger break_breaks on time_entries; drop function break_for_test',
  )
})

const tap = (type: CommandType, visitId?: string, payload: CommandPayload = {}, minutesAgo = 5): CrewCommand => ({
  id: newId(),
  type,
  ...(visitId ? { visitId } : {}),
  at: new Date(clock.nowMs() - minutesAgo * 60_000).toISOString(),
  payload,
})
const send = async (...commands: CrewCommand[]) =>
  (await luis.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })).results.map(
    ({ result, reason }) => `${result} ${reason ?? ''}`.trim(),
  )
const visitOf = (visitId: string) => business.api.ok(visitsApi.get, { params: { visitId } })

it('a note with half of a character in it, as a cut through an emoji leaves it, is taken and holds up nothing', async () => {
  const { visitId } = await aVisit(business, { crewId })
  const note = tap('note', visitId, { note: `Gate open \ud83d\u0000 again\nand dog` })
  expect(await send(tap('start', visitId), note, tap('finish', visitId))).toEqual(['applied', 'applied', 'applied'])
  expect(await visitOf(visitId)).toMatchObject({ status: 'completed', note: 'Gate open \ufffd again\nand dog' })
})

it('work over which the server broke waits for the office and on the phone, and what was done after it goes on', async () => {
  const { visitId } = await aVisit(business, { crewId, street: '7 Bay St' })
  const other = await aVisit(business, { crewId, street: '9 Bay St' })
  const bad = tap('finish', visitId, { note: 'BREAK' })
  const sent = [tap('start', visitId, {}, 30), bad, tap('start', other.visitId)]
  expect(await send(...sent)).toEqual(['applied', 'conflict failed', 'applied'])
  expect((await visitOf(visitId)).status).toBe('in_progress')
  // the same again is answered the same
  expect(await send(bad)).toEqual(['conflict failed'])
  const [need] = (await business.api.ok(dashboardApi.get, {})).needs.filter(({ kind }) => kind === 'conflict')
  expect(need).toMatchObject({
    visitId,
    title: 'Luis finished 7 Bay St, but something went wrong on our side when it came in',
  })
  // a further try is judged anew, and may break again
  expect(await send({ ...bad, attempt: 2 })).toEqual(['conflict failed'])
  await ownerPool().query('alter table visits disable trigger break_notes')
  const decided = await business.api.call(conflictsApi.decide, {
    params: { id: bad.id },
    body: { decision: 'counts', note: '' },
  })
  await ownerPool().query('alter table visits enable trigger break_notes')
  expect([decided.status, (await visitOf(visitId)).status]).toEqual([200, 'completed'])
})

it('a tap on the clock that could not be booked is told to the office with its time', async () => {
  const taps = [tap('clock_in', undefined, {}, 60), tap('switch', undefined, { kind: 'rain' }, 40)]
  expect(await send(...taps, tap('clock_out', undefined, {}, 1))).toEqual(['applied', 'conflict failed', 'applied'])
  await runTasks()
  const { notifications } = await business.api.ok(notificationsApi.list, { query: {} })
  const [told] = notifications.filter(({ title }) => title === 'A tap on the clock of Luis could not be booked')
  expect(told?.content).toMatch(/^Went over to other work at \d+:\d\d [AP]M on .*: something went wrong on our side/)
  expect((await luis.api.ok(timeclockApi.clock, { query: {} })).state).toBe('off')
})

describe('taps on the clock that could not be booked', () => {
  const needs = async () =>
    (await business.api.ok(dashboardApi.get, {})).needs.filter(({ id }) => id.startsWith('failed-tap:'))
  const aFailedTap = async (minutesAgo: number) => {
    const bad = tap('switch', undefined, { kind: 'rain' }, minutesAgo)
    const [, result] = await send(tap('clock_in', undefined, {}, minutesAgo + 20), bad)
    expect(result).toBe('conflict failed')
    await send(tap('clock_out', undefined, {}, minutesAgo - 5))
    return bad
  }
  const answersTo = async (id: string) =>
    (await luis.api.ok(conflictsApi.answers, { body: { commandIds: [id] } })).answers
  /** What the tests before left. */
  beforeEach(() =>
    business.db((db) =>
      db
        .updateTable('crewCommands')
        .set({ result: 'refused' })
        .where('businessId', '=', business.id)
        .where('reason', '=', 'failed')
        .execute(),
    ),
  )

  it('stand under Needs you with a way to the sheet, until the sheet is put right; the phone hears it', async () => {
    const bad = await aFailedTap(40)
    const day = dayOf(bad.at, zone)
    const [need, ...others] = await needs()
    expect(others).toEqual([])
    expect(need).toMatchObject({
      title: 'A tap on the clock of Luis Ortega could not be booked',
      action: { kind: 'open', label: 'Open the sheet' },
      path: linkTo.timesheets({ week: startOfWeek(day), personId: luis.userId }),
    })
    expect(need?.detail).toMatch(/Went over to other work at \d+:\d\d [AP]M\. Put the time down on the sheet/)
    const { version, entries } = await business.api.ok(sheetsApi.get, {
      params: { id: luis.userId },
      query: { week: startOfWeek(day) },
    })
    const entry = entries.findLast(({ startedAt }) => startedAt <= bad.at)
    await business.api.ok(sheetsApi.correct, {
      params: { id: luis.userId },
      body: {
        week: startOfWeek(day),
        version,
        entryId: entry?.id ?? null,
        to: { startedAt: entry?.startedAt ?? '', endedAt: entry?.endedAt ?? '', kind: 'rain' },
        reason: 'It rained',
      },
    })
    await runTasks()
    expect(await needs()).toEqual([])
    expect(await answersTo(bad.id)).toMatchObject([{ decision: 'counts', note: 'It rained' }])
    // it is not booked a second time
    expect(await send({ ...bad, attempt: 2 })).toEqual(['conflict failed'])
  })

  it('end by themselves when the phone sends them again and they are booked', async () => {
    const bad = await aFailedTap(8)
    expect(await needs()).toHaveLength(1)
    await ownerPool().query('alter table time_entries disable trigger break_breaks')
    try {
      await send({ ...bad, attempt: 2 })
    } finally {
      await ownerPool().query('alter table time_entries enable trigger break_breaks')
    }
    expect(await needs()).toEqual([])
    expect(await answersTo(bad.id)).toEqual([])
  })
})

it('messages that are sent again count once, and one too many holds up no clock', async () => {
  const [thread] = (await luis.api.ok(chatApi.threads, { query: {} })).items
  const say = (text: string) => tap('chat', undefined, { threadId: thread?.id, text })
  const said = Array.from({ length: 16 }, (_, index) => say(`Word ${index}`))
  expect(new Set(await send(...said))).toEqual(new Set(['applied']))
  for (let again = 0; again < 4; again++) expect(new Set(await send(...said))).toEqual(new Set(['duplicate']))
  const many = Array.from({ length: 50 }, (_, index) => say(`More ${index}`))
  const results = await send(...many, tap('clock_in'), tap('clock_out', undefined, {}, 0))
  expect(results.length).toBeLessThan(52)
  expect(results.slice(-2)).toEqual(['applied', 'applied'])
  const alone = await luis.api.call(crewappApi.commands, {
    body: { commands: [say('One more')], sentAt: clock.iso() },
  })
  expect(alone.status).toBe(429)
})
