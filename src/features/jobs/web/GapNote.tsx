import { Banner } from '#src/ui/Banner.tsx'
import type { ServiceRecord } from '../../services/contract.ts'
import { paceGaps, type Recurrence } from '../rules.ts'

type Props = { service: Pick<ServiceRecord, 'name' | 'minGapDays'> | undefined; recurrence: Recurrence | null }

/** Whether a rule brings a service back sooner than the service wants. */
export const isTooOften = (service: Pick<ServiceRecord, 'minGapDays'> | undefined, recurrence: Recurrence | null) =>
  service !== undefined && recurrence !== null && paceGaps(recurrence).shortest < service.minGapDays

/** Says before work is booked that its visits come closer to each other than its service wants. */
export const GapNote = ({ service, recurrence }: Props) =>
  service && recurrence && isTooOften(service, recurrence) ? (
    <Banner tone="warn">
      {service.name} wants at least {service.minGapDays} days between two visits. Booked like this they are{' '}
      {paceGaps(recurrence).shortest} {paceGaps(recurrence).shortest === 1 ? 'day' : 'days'} apart: choose how often
      below, or give this service a schedule of its own.
    </Banner>
  ) : null
