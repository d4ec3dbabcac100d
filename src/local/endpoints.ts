import { localMailEndpoints } from './mail/endpoints.ts'
import { localPaymentsEndpoints } from './payments/endpoints.ts'
import { localPhoneEndpoints } from './phone/endpoints.ts'
import { localPlansEndpoints } from './plans/endpoints.ts'
import { localProspectsEndpoints } from './prospects/endpoints.ts'

/** Endpoints that are there on one's own computer only. */
export const localEndpointPlugins = [
  localPhoneEndpoints,
  localMailEndpoints,
  localProspectsEndpoints,
  localPaymentsEndpoints,
  localPlansEndpoints,
]
