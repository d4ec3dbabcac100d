import { expect, it } from 'vitest'
import { joinTeam, ownerOf } from '../demo/team.ts'
import { employeesApi } from '../features/employees/contract.ts'
import { runTasks } from './api.ts'
import { aBusiness } from './factories.ts'

it('the demo has crew with phone and PIN and one open invitation, and nothing of it leaves', async () => {
  const business = await aBusiness()
  const mate = await business.employee({ name: 'Ana Ruiz' })
  await business.db((db) =>
    db
      .updateTable('users')
      .set({ email: null, emailVerifiedAt: null, phone: '+18435550124' })
      .where('businessId', '=', business.id)
      .where('id', '=', mate.userId)
      .execute(),
  )
  await joinTeam(await ownerOf(business.id, 'America/New_York'))
  await runTasks()
  const { items } = await business.api.ok(employeesApi.list, {})
  const signInMethods = items.map(({ name, signIn }) => [
    name,
    signIn.method,
    signIn.deviceCount,
    signIn.invite?.state ?? null,
  ])
  expect(signInMethods).toContainEqual(['Ana Ruiz', 'pin', 1, null])
  expect(signInMethods).toContainEqual(['Caleb Winslow', null, 0, 'open'])
  const messages = await business.db((db) =>
    db
      .selectFrom('messages')
      .select(['status', 'providerId'])
      .where('businessId', '=', business.id)
      .where('purpose', '=', 'account')
      .execute(),
  )
  expect(messages).toHaveLength(2)
  expect(messages.every(({ status, providerId }) => status === 'sent' && providerId === null)).toBe(true)
})
