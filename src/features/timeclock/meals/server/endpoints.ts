import { serve } from '../../../../platform/http/serve.ts'
import { mealsApi } from '../contract.ts'
import { sayMealPremium } from './commands.ts'

export const mealsEndpoints = serve(
  'meals',
  mealsApi,
)({
  premium: ({ actor, params, body }) => sayMealPremium(actor, params.id, body),
})
