import { formatCents } from '../../../shared/money.ts'
import type { Overview } from '../contract.ts'

/**
 * What others in the trade say of their own work, beside what this business's work came to. Facts with the place where they were said, never figures of
 * another business here, and no verdict where the source says too little for one.
 */
export type Benchmark = {
  name: string
  /** What this business comes to; null where too little is known. */
  own: string | null
  /** What the own number is made of: completed visits with what they came to, or the stops of routes. */
  opens: 'completed' | 'routes'
  ranges: { text: string; source: string; href: string }[]
  /** How the own number lies to the range; null where nobody can say. */
  verdict: string | null
}

/** Cents for a labor hour that owners aim at. */
const hourAim = { from: 6000, to: 8000 }

const hourVerdict = (cents: number): string =>
  cents < hourAim.from
    ? 'Below what owners aim at'
    : cents > hourAim.to
      ? 'Above what owners aim at'
      : 'Within what owners aim at'

/** @param found of whatever period is on the screen */
export const benchmarksOf = ({
  perLaborHourCents,
  jobsPerRoute,
}: Pick<Overview, 'perLaborHourCents' | 'jobsPerRoute'>): Benchmark[] => {
  const hour = perLaborHourCents.now
  return [
    {
      name: 'Completed work for a labor hour',
      opens: 'completed',
      own: hour === null ? null : formatCents(hour),
      verdict: hour === null ? null : hourVerdict(hour),
      ranges: [
        {
          text: 'Owners aim at $60 to $80; $45 is what they see most often',
          source: 'LawnSite, “Hourly rate”',
          href: 'https://www.lawnsite.com/threads/hourly-rate.412498/page-2',
        },
      ],
    },
    {
      name: 'Stops on a route',
      opens: 'routes',
      own: jobsPerRoute === 0 ? null : jobsPerRoute.toFixed(1),
      verdict: null,
      ranges: [
        {
          text: 'One person: 10 to 12, with a helper about 15',
          source: 'Lawn Care Millionaire, “1 man vs 2 man mowing crews”',
          href: 'https://lawncaremillionaire.com/1-man-vs-2-man-mowing-crews',
        },
        {
          text: 'Two people: about 20, twice what one does',
          source: 'Service Autopilot, “Lawn care crew sizes”',
          href: 'https://www.serviceautopilot.com/lawn-care/lawn-care-crew-sizes-in-2016-1-2-or-3-man-crews/',
        },
        {
          text: 'Three people on a tight route: 28 to 30',
          source: 'LawnChat, “1 man, 2 man or 3 man lawn mowing crew”',
          href: 'http://lawnchat.com/lawn-care-business/1-man-2-man-or-3-man-lawn-mowing-crew-whats-best.html',
        },
      ],
    },
  ]
}
