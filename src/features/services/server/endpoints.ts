import { type Actor, hasPermission } from '../../../platform/actor.ts'
import { withTenant } from '../../../platform/db/tenant.ts'
import { serve } from '../../../platform/http/serve.ts'
import { lineCents } from '../../../shared/money.ts'
import { servicesApi } from '../contract.ts'
import { measureOfAsked } from '../measures/rules.ts'
import { minutesFor, priceFor } from '../rules.ts'
import {
  addDefaultServices,
  archiveService,
  changeService,
  createService,
  reorderServices,
  restoreService,
} from './commands.ts'
import {
  getService,
  listPriceVersions,
  listServiceNames,
  listServices,
  type PricedService,
  serviceFor,
} from './queries.ts'

const forAll = (actor: Actor, services: readonly PricedService[]) =>
  services.map((service) => serviceFor(actor, service))

export const servicesEndpoints = serve(
  'services',
  servicesApi,
)({
  names: async ({ actor }) => ({ items: await withTenant(actor, listServiceNames) }),
  catalog: async ({ actor, query }) => ({
    items: forAll(actor, await withTenant(actor, (db) => listServices(db, { archived: query.archived ?? false }))),
  }),
  create: async ({ actor, body }) => serviceFor(actor, await createService(actor, body)),
  addDefaults: async ({ actor }) => ({ items: forAll(actor, await addDefaultServices(actor)) }),
  update: async ({ actor, params, body }) => serviceFor(actor, await changeService(actor, params.id, body)),
  archive: async ({ actor, params }) => serviceFor(actor, await archiveService(actor, params.id)),
  restore: async ({ actor, params }) => serviceFor(actor, await restoreService(actor, params.id)),
  reorder: async ({ actor, body }) => ({ items: forAll(actor, await reorderServices(actor, body.ids)) }),
  prices: async ({ actor, params }) => ({
    items: await withTenant(actor, async (db) => {
      await getService(db, params.id)
      return listPriceVersions(db, params.id)
    }),
  }),
  quotePrice: async ({ actor, params, body }) => {
    const service = await withTenant(actor, (db) => getService(db, params.id))
    const facts = { ...body, ...measureOfAsked(service, body) }
    const price = priceFor(service.priceRule, facts)
    const time = minutesFor(service.timeRule, facts)
    if (!hasPermission(actor, 'money')) return { priceCents: null, minutes: time.minutes, reason: time.reason }
    return {
      priceCents: price.cents === null ? null : lineCents(body.quantity, price.cents),
      minutes: time.minutes,
      reason: price.reason ?? time.reason,
    }
  },
})
