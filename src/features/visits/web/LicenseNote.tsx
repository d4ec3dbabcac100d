import { useQuery } from '@tanstack/react-query'
import type { Day } from '../../../shared/dates.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { licenseRefusal } from '../days/rules.ts'
import { visitCalendarQuery } from './data.ts'

type Props = { skills: readonly string[]; days: readonly Day[]; crewId: string | null }

/** Says before work is booked on which of its days the crew has nobody with the license for it. */
export const LicenseNote = ({ skills, days, crewId }: Props) => {
  const asked = crewId !== null && skills.length > 0 && days.length > 0
  const { data } = useQuery({ ...visitCalendarQuery, enabled: asked })
  if (!data || !asked) return null
  const lacking = days.flatMap((day) => licenseRefusal(data, skills, day, crewId) ?? [])
  return lacking[0] ? (
    <Banner tone="warn">
      {lacking[0]} {lacking.length > 1 ? `So it is on ${lacking.length} of the first ${days.length} days. ` : ''}
      Booked like this the work waits for somebody with the license: put one on the crew, or choose another crew.
    </Banner>
  ) : null
}
