import {
  type Automation,
  type AutomationRun,
  automationRunsApi,
  automationsApi,
} from '../features/automations/contract.ts'
import type { AutomationKind } from '../features/automations/kinds/rules.ts'
import { runAutomations } from '../features/automations/server/runs.ts'
import { recordConsent } from '../features/messages/server/commands.ts'
import { systemActor } from '../platform/actor.ts'
import { dayOf } from '../shared/dates.ts'
import type { CallInput } from '../shared/endpoint.ts'
import { apiFor } from './api.ts'
import { aBusiness, type TestBusiness } from './factories.ts'
import { aVisit } from './field.ts'
import { at, hours, noon } from './reviews.ts'

type Changes = Partial<Omit<CallInput<typeof automationsApi.update>['body'], 'version' | 'conditions'>> & {
  conditions?: object
}

/** What is done around automations in a business. */
export const automating = (of: () => TestBusiness) => {
  /** Signed in now: the clock of these tests goes on for days. */
  const api = () => apiFor(of().owner)

  const make = async (kind: AutomationKind, changes: Changes = {}): Promise<Automation> => {
    const made = await (await api()).ok(automationsApi.create, { body: { kind } })
    const { conditions, ...rest } = changes
    return (await api()).ok(automationsApi.update, {
      params: { id: made.id },
      body: {
        version: made.version,
        ...rest,
        ...(conditions ? { conditions: { ...made.conditions, ...conditions } } : {}),
      },
    })
  }
  const turn = async (id: string, on = true): Promise<Automation> => {
    const { version } = await (await api()).ok(automationsApi.get, { params: { id } })
    return (await api()).ok(automationsApi.turn, { params: { id }, body: { on, version } })
  }
  /** One that is on since so many days. */
  const on = async (kind: AutomationKind, changes: Changes = {}, days = 400): Promise<Automation> => {
    const { id } = await make(kind, changes)
    await turn(id)
    await of().db((db) =>
      db
        .updateTable('automations')
        .set({ enabledAt: new Date(noon - hours(24 * days)).toISOString() })
        .where('businessId', '=', of().id)
        .where('id', '=', id)
        .execute(),
    )
    return (await api()).ok(automationsApi.get, { params: { id } })
  }
  const setCustomer = (customerId: string, values: object) =>
    of().db((db) =>
      db.updateTable('customers').set(values).where('businessId', '=', of().id).where('id', '=', customerId).execute(),
    )
  const setVisit = (visitId: string, values: object) =>
    of().db((db) =>
      db.updateTable('visits').set(values).where('businessId', '=', of().id).where('id', '=', visitId).execute(),
    )
  /** A visit that was done so many hours before noon, of a customer with an e-mail. */
  const done = async (hoursAgo: number, customer: object = {}, status: 'completed' | 'skipped' = 'completed') => {
    const finishedAt = new Date(noon - hours(hoursAgo)).toISOString()
    const made = await aVisit(of(), { customer: 'Rosa Marsh', day: dayOf(finishedAt, 'America/New_York'), status })
    await setVisit(made.visitId, { finishedAt, finishedBy: of().owner.userId })
    await setCustomer(made.customerId, { email: `c-${made.customerId.slice(-8)}@test.swath.test`, ...customer })
    return made
  }
  const agree = (channel: 'sms' | 'email', address: string) =>
    of().db((db) => recordConsent(db, { channel, address, purpose: 'marketing', action: 'grant', source: 'test' }))
  const run = () => runAutomations(systemActor(of().id))
  const sent = () =>
    of().db((db) =>
      db
        .selectFrom('messages')
        .select(['id', 'channel', 'address', 'subject', 'bodyText', 'status', 'reason', 'purpose', 'customerId'])
        .where('businessId', '=', of().id)
        .where('entityType', '=', 'automation_run')
        .orderBy('id')
        .execute(),
    )
  /** A yes to one as it was seen. */
  const yesTo = (run: AutomationRun | undefined) => ({
    id: run?.id ?? '',
    version: run?.version ?? 0,
    seal: run?.seal ?? 'nothing',
  })
  const approve = async (run: AutomationRun | undefined) => {
    const { id, ...body } = yesTo(run)
    return (await api()).call(automationRunsApi.approve, { params: { id }, body })
  }
  const runs = async (query: object = {}) => (await (await api()).ok(automationRunsApi.list, { query })).items
  return { api, make, turn, on, done, agree, run, sent, runs, yesTo, approve, setCustomer, setVisit }
}

/** A business at noon of a Friday, with an address. */
export const anAutomatedBusiness = async (): Promise<TestBusiness> => {
  at(noon)
  const business = await aBusiness({ name: 'Marsh Side Lawns' })
  await business.db((db) =>
    db
      .updateTable('businesses')
      .set({ street: '1 Marsh Rd', city: 'Savannah', state: 'GA', zip: '31401' })
      .where('businessId', '=', business.id)
      .execute(),
  )
  return business
}
