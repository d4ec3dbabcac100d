import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { clock } from '../../../platform/clock.ts'
import { newId } from '../../../platform/ids.ts'
import { aBusiness, type Person, type TestBusiness } from '../../../test/factories.ts'
import { aCrew, aVisit, everyDay } from '../../../test/field.ts'
import { crewappApi } from '../contract.ts'
import type { CommandPayload, CommandType, CrewCommand } from '../rules.ts'

/** Much that a phone did without a signal comes at once, over a weak one. */

let business: TestBusiness
let luis: Person
let crewId: string
beforeAll(async () => {
  business = await aBusiness({ workDays: everyDay })
  luis = await business.employee({ name: 'Luis Ortega' })
  crewId = await aCrew(business, { name: 'North', members: [luis], workDays: everyDay })
})

const tap = (type: CommandType, visitId: string, payload: CommandPayload = {}): CrewCommand => ({
  id: newId(),
  type,
  visitId,
  at: clock.iso(),
  payload,
})
const squeezed = (payload: Buffer) =>
  luis.api.raw({
    method: 'POST',
    url: '/api/crew/commands',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'idempotency-key': newId() },
    payload,
  })

it('each stop comes back once, as its last command left it, and one that is not theirs never', async () => {
  const [mine, other] = [await aVisit(business, { crewId }), await aVisit(business, { crewId })]
  const foreign = await aVisit(business, { crewId: await aCrew(business, { name: 'South' }) })
  const commands = [
    tap('start', mine.visitId),
    tap('start', other.visitId),
    tap('note', mine.visitId, { note: 'Gate left open' }),
    tap('start', foreign.visitId),
  ]
  const send = () => luis.api.ok(crewappApi.commands, { body: { commands, sentAt: clock.iso() } })
  const { results } = await send()
  expect(results.map(({ result }) => result)).toEqual(['applied', 'applied', 'applied', 'conflict'])
  expect(results.map(({ visit }) => visit && [visit.id, visit.status, visit.note])).toEqual([
    null,
    [other.visitId, 'in_progress', ''],
    [mine.visitId, 'in_progress', 'Gate left open'],
    null,
  ])
  // an answer that got lost is given again
  expect((await send()).results.map(({ visit }) => visit?.id ?? null)).toEqual([
    null,
    other.visitId,
    mine.visitId,
    null,
  ])
})

it('what comes compressed is read, and what is broken or too large when it is unpacked is refused', async () => {
  const { visitId } = await aVisit(business, { crewId })
  const body = { commands: [tap('start', visitId)], sentAt: clock.iso() }
  const taken = await squeezed(gzipSync(JSON.stringify(body)))
  expect([taken.status, taken.body]).toMatchObject([200, { results: [{ result: 'applied' }] }])
  expect((await squeezed(Buffer.from('no gzip at all'))).status).toBe(400)
  const huge = JSON.stringify({ ...body, commands: [tap('note', visitId, { note: 'x'.repeat(30_000_000) })] })
  expect((await squeezed(gzipSync(huge))).status).toBe(413)
})
