import { setupSprint } from '../../billing/rules.ts'

/** How many places are left this month; without a script it says how many there are. */
export const Places = () => (
  <p className="places" data-places="">
    {setupSprint.businessesPerMonth} businesses a month.
  </p>
)
