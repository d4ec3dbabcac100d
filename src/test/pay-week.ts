import type { EntryKind } from '../features/timeclock/rules.ts'
import { sheetsApi } from '../features/timeclock/sheets/contract.ts'
import { newId } from '../platform/ids.ts'
import type { Day } from '../shared/dates.ts'
import { aBusiness, type Person, type TestBusiness } from './factories.ts'
import { aCrew } from './field.ts'

/** A business whose one crew is Ana, at $20 an hour. */
export const aPaidCrew = async () => {
  const business = await aBusiness()
  const ana = await business.employee({ name: 'Ana Reyes', wageCents: 2000 })
  return { business, ana, crewId: await aCrew(business, { members: [ana] }) }
}

type Spell = { crewId: string; startedAt: string; endedAt: string; kind?: EntryKind }

/** Writes a spell as the clock would have left it. */
export const clockSpell = (business: TestBusiness, { userId }: Person, spell: Spell) =>
  business.db((db) =>
    db
      .insertInto('timeEntries')
      .values({ businessId: business.id, id: newId(), userId, kind: 'work', ...spell })
      .execute(),
  )

/** The office approves a week of these people. */
export const approveWeek = async (business: TestBusiness, week: Day, people: readonly Person[]): Promise<void> => {
  const { items } = await business.api.ok(sheetsApi.list, { query: { week } })
  const wanted = items.filter((one) => people.some((person) => person.userId === one.userId))
  await business.api.ok(sheetsApi.approve, {
    body: { week, items: wanted.map(({ userId, version }) => ({ userId, version })) },
  })
}
