import { expect, it } from 'vitest'
import { hangCards, sendStatements, tellSeveral } from '../demo/mailings.ts'
import { ownerOf } from '../demo/team.ts'
import { doorcardsApi } from '../features/doorcards/contract.ts'
import { lastStatementRun } from '../features/invoices/statements/server/queries.ts'
import { mailingsApi } from '../features/mailings/contract.ts'
import { addDays } from '../shared/dates.ts'
import { runTasks } from './api.ts'
import { aBusiness } from './factories.ts'
import { aVisit, today } from './field.ts'

it('the demo has a message to several that arrived and one that waits, cards for doors and a run of statements', async () => {
  const business = await aBusiness()
  for (let n = 0; n < 16; n++) {
    const { customerId } = await aVisit(business, {
      street: `${n + 101} Oak St`,
      day: addDays(today(), -2),
      status: 'completed',
    })
    await business.db((db) =>
      db
        .updateTable('customers')
        .set(n % 2 ? { email: `ann${n}@test.swath.test` } : { phone: `+1912555${2000 + n}` })
        .where('businessId', '=', business.id)
        .where('id', '=', customerId)
        .execute(),
    )
  }
  const owner = await ownerOf(business.id, 'America/New_York')
  await tellSeveral(owner)
  await hangCards(owner)
  await sendStatements(owner)
  // what the demo left to be worked off changes nothing of it
  await runTasks()
  const { items } = await business.api.ok(mailingsApi.list, { query: {} })
  expect(items).toMatchObject([
    { subject: 'Holiday next week', sent: 0, onTheWay: 6, can: { stop: true } },
    { subject: 'Rain on Tuesday', sent: 13, failed: 1, onTheWay: 0, can: { stop: false } },
  ])
  expect(items[0]?.heldUntil).not.toBeNull()
  const cards = await business.api.ok(doorcardsApi.list, { query: {} })
  expect(cards.items).toMatchObject([{ doors: 6 }])
  // nobody owes here: no run was made up
  expect(await business.db((db) => lastStatementRun(db))).toBeNull()
})
