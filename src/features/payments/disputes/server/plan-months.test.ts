import { expect, it } from 'vitest'
import { newId } from '../../../../platform/ids.ts'
import { aPlanBusiness } from '../../../../test/billing-plans.ts'
import { collectEvidence } from './evidence.ts'

const { of, on, bill, aCustomer, start, get, finish, pay } = aPlanBusiness()

it('a month of a billing plan is shown with the visits that counted against it up to the dispute', async () => {
  await on('2027-03-20')
  const { customerId, job } = await aCustomer()
  const plan = await start(customerId)
  await bill('2027-04-02')
  await pay(await get(plan.id), 1)
  await finish(job.id, 3)
  const invoiceId = (await get(plan.id)).months[0]?.invoice?.id ?? ''
  const { days, work } = await of().db(async (db) => {
    const { paymentId } = await db
      .selectFrom('paymentAllocations')
      .select('paymentId')
      .where('businessId', '=', of().id)
      .where('invoiceId', '=', invoiceId)
      .executeTakeFirstOrThrow()
    const dispute = { id: newId(), paymentId, openedOn: '2027-04-12' }
    const now = '2027-04-12T16:00:00Z'
    await db
      .insertInto('disputes')
      .values({
        ...dispute,
        businessId: of().id,
        provider: 'local',
        livemode: false,
        accountId: 'acct',
        providerDisputeId: 'dp_plan',
        kind: 'dispute',
        status: 'needs_response',
        reason: 'product_not_received',
        amountCents: 100,
        dueAt: null,
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    await db.insertInto('disputeInvoices').values({ businessId: of().id, disputeId: dispute.id, invoiceId }).execute()
    const { facts } = await collectEvidence(db, dispute)
    return { days: facts.visits.map(({ day }) => day), work: facts.visits[0]?.work }
  })
  expect(days).toEqual(['2027-04-12', '2027-04-05'])
  expect(work).toMatch(/mow/i)
})
