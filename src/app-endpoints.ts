import type { FastifyPluginAsync } from 'fastify'
import { accountsEndpoints } from './features/accounts/server/endpoints.ts'
import { businessesEndpoints } from './features/businesses/server/endpoints.ts'
import { customersEndpoints } from './features/customers/server/endpoints.ts'
import { employeesEndpoints } from './features/employees/server/endpoints.ts'
import { messagesEndpoints } from './features/messages/server/endpoints.ts'
import { notificationsEndpoints } from './features/notifications/server/endpoints.ts'
import { searchEndpoints } from './features/search/server/endpoints.ts'
import { servicesEndpoints } from './features/services/server/endpoints.ts'
import { systemEndpoints } from './features/system/server/endpoints.ts'
import { visitsEndpoints } from './features/visits/server/endpoints.ts'
import type { ContractTable } from './shared/endpoint.ts'

/** Every feature's endpoints. The access-matrix test and the OpenAPI document walk this list. */
export const endpointPlugins: (FastifyPluginAsync & { contract: ContractTable; feature: string })[] = [
  systemEndpoints,
  customersEndpoints,
  searchEndpoints,
  accountsEndpoints,
  employeesEndpoints,
  messagesEndpoints,
  notificationsEndpoints,
  businessesEndpoints,
  visitsEndpoints,
  servicesEndpoints,
]
