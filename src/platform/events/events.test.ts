import { expect, onTestFinished, test } from 'vitest'
import { startWork } from '../../app-tasks.ts'
import { aBusiness } from '../../test/factories.ts'
import { aCrew, aVisit } from '../../test/field.ts'
import { emit, setSubscribers } from './events.ts'

test('a process that only works on tasks knows who listens', async () => {
  const business = await aBusiness()
  const crewId = await aCrew(business)
  const { visitId } = await aVisit(business, { crewId })
  // as in a process that never made a server
  setSubscribers([])
  const work = await startWork()
  onTestFinished(() => work.stop())
  await business.db((db) => emit(db, 'crew.archived', { crewId, on: '2000-01-01' }))
  const crewOf = () =>
    business.db((db) =>
      db
        .selectFrom('visits')
        .select('crewId')
        .where('businessId', '=', business.id)
        .where('id', '=', visitId)
        .executeTakeFirstOrThrow(),
    )
  await expect.poll(async () => (await crewOf()).crewId, { timeout: 20_000 }).toBeNull()
})
