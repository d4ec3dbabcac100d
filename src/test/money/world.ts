import { businessesApi } from '../../features/businesses/contract.ts'
import { noLateFees } from '../../features/businesses/latefees/rules.ts'
import { noTips } from '../../features/businesses/tips/rules.ts'
import { statementsApi } from '../../features/invoices/statements/contract.ts'
import { setClock } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { addDays, type Day } from '../../shared/dates.ts'
import type { CallInput, Endpoint, ResponseOf } from '../../shared/endpoint.ts'
import { type Answer, type Api, apiFor, stranger } from '../api.ts'
import { aCustomer, accountOf } from '../cards.ts'
import { aBusiness, type TestBusiness } from '../factories.ts'
import type { Dice } from './dice.ts'
import { aPost, type Post } from './post.ts'

/** One deed. @returns what was done, in words for who reads a failure; null where there was nothing to do it with */
export type Deed = (world: World, dice: Dice) => Promise<string | null>

export type Issued = { id: string; token: string; customerId: string }
/** Money that did not come through the provider, as this test counts it. */
export type ByHand = { paymentId: string; customerId: string; cents: number; backCents: number; reversed: boolean }

export type World = {
  own: TestBusiness
  /** The owner, signed in on the day it is. */
  api: Api
  account: string
  customers: { id: string; page: string }[]
  invoices: Issued[]
  byHand: ByHand[]
  plans: { id: string; visits: { id: string; done: boolean }[] }[]
  /** What a closed month came to when it was closed: nothing moves it but what an owner books into it. */
  closed: { through: Day; sums: Record<string, number> } | null
  post: Post
  day: Day
  said: string[]
}

const firstDay: Day = '2027-04-20'
export const treated = 'treat'

export const toDay = async (world: World, day: Day): Promise<void> => {
  world.day = day
  setClock(() => new Date(`${day}T16:00:00Z`))
  world.api = await apiFor(world.own.owner)
}

/** A business that takes cards, bank payments and tips, charges for paying late and gives less to who pays without a card, with three customers. */
export const aWorld = async (): Promise<World> => {
  setClock(() => new Date(`${firstDay}T16:00:00Z`))
  const own = await aBusiness()
  const { version } = await own.api.ok(businessesApi.get, {})
  const { percents, amountsCents } = noTips
  await own.api.ok(businessesApi.update, {
    body: {
      bankDebits: true,
      cashDiscountBps: 300,
      tips: { kind: 'amount', percents, amountsCents },
      invoiceTerms: 'Late pays more.',
      lateFees: { ...noLateFees, kind: 'percent', percent: 5, graceDays: 3, minimumCents: 500, repeats: true },
      autopayNoticeDays: 1,
      version,
    },
  })
  await own.db(async (db) => {
    for (const [taxCategory, ratePercent, state] of [
      [treated, 7.25, null],
      ['lawn', 4, 'GA'],
    ] as const)
      await db
        .insertInto('taxRates')
        .values({
          businessId: own.id,
          id: newId(),
          name: `Tax on ${taxCategory}`,
          ratePercent: ratePercent as never,
          taxCategory,
          state,
        })
        .execute()
  })
  const customers: World['customers'] = []
  for (let n = 0; n < 3; n++) {
    const id = await aCustomer(own, `payer${n}@test.swath.test`)
    const { url } = await own.api.ok(statementsApi.link, { params: { id } })
    customers.push({ id, page: new URL(url).pathname })
  }
  return {
    own,
    api: own.api,
    account: await accountOf(own),
    customers,
    invoices: [],
    byHand: [],
    plans: [],
    closed: null,
    post: aPost(),
    day: firstDay,
    said: [],
  }
}

export const later = (world: World, days: number): Promise<void> => toDay(world, addDays(world.day, days))

const taken = <T>(answer: Answer<T>, what: string): Answer<T> => {
  if (answer.status >= 500) throw new Error(`${what} answered ${answer.status}: ${JSON.stringify(answer.error)}`)
  return answer
}

/**
 * What somebody of the office presses, now and then twice at the same time: both presses have one answer.
 * @returns the answer, or null where it was refused
 */
export const press = async <E extends Endpoint>(
  { api }: World,
  dice: Dice,
  endpoint: E,
  input: CallInput<E>,
): Promise<ResponseOf<E> | null> => {
  const key = { 'idempotency-key': newId() }
  const presses = dice(5) === 0 ? 2 : 1
  const answers = await Promise.all(Array.from({ length: presses }, () => api.call(endpoint, input, key)))
  const [first, second] = answers.map((answer) => taken(answer, `${endpoint.method} ${endpoint.path}`))
  if (second && first && second.text !== first.text && second.status === 200 && first.status === 200)
    throw new Error(`${endpoint.method} ${endpoint.path} answered twice: ${first.text} and ${second.text}`)
  return first?.status === 200 ? first.body : null
}

/** The same by the customer, who has no sign-in. */
export const asCustomer = async <E extends Endpoint>(
  endpoint: E,
  input: CallInput<E>,
): Promise<ResponseOf<E> | null> => {
  const answer = taken(await stranger.call(endpoint, input), `${endpoint.method} ${endpoint.path}`)
  return answer.status === 200 ? answer.body : null
}
