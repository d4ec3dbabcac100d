import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDay } from '../../../../shared/dates.ts'
import { linkTo } from '../../../../shared/links.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { DateField } from '../../../../ui/DateField.tsx'
import { LinkTo } from '../../../../ui/LinkTo.tsx'
import { Money } from '../../../../ui/Money.tsx'
import { toast } from '../../../../ui/toast.tsx'
import { useToday } from '../../../accounts/web/session.ts'
import { type LeadBooking, leadBookingApi } from '../contract.ts'
import { everyLabel } from '../rules.ts'
import { leadBookingQuery, useAcceptDay, useRefuseDay } from './data.ts'
import './booking.css'

const Answer = ({ leadId, booking }: { leadId: string; booking: LeadBooking }) => {
  const today = useToday()
  const [day, setDay] = useState<string | null>(booking.day)
  const accept = useAcceptDay(leadId)
  const refuse = useRefuseDay(leadId)
  return (
    <>
      <DateField label="Day of the first visit" today={today} value={day} onChange={setDay} />
      {accept.isError ? <Banner tone="error">{accept.error.message}</Banner> : null}
      <div className="lead-day__foot">
        <Button
          kind="primary"
          size="s"
          calls={leadBookingApi.accept}
          loading={accept.isPending}
          disabled={!booking.can.accept || day === null}
          onClick={() =>
            day !== null &&
            accept.mutate({ day }, { onSuccess: () => toast.success(`Booked for ${formatDay(day)}. They are told.`) })
          }
        >
          Book it
        </Button>
        <Button
          size="s"
          calls={leadBookingApi.refuse}
          loading={refuse.isPending}
          disabled={!booking.can.refuse}
          onClick={() =>
            refuse.mutate(undefined, {
              onSuccess: () => toast.success('They are told that this day does not go.'),
              onError: toast.error,
            })
          }
        >
          This day does not go
        </Button>
      </div>
    </>
  )
}

/** The day that somebody picked on the business page: booked already, or for the office to say yes to. */
export const WishedDay = ({ leadId }: { leadId: string }) => {
  const { data } = useQuery(leadBookingQuery(leadId))
  const booking = data?.booking
  if (!booking || booking.status === 'held') return null
  return (
    <section className="lead-day" aria-label="The day they picked">
      <p>
        <b>
          {booking.status === 'booked'
            ? `Booked for ${formatDay(booking.day)} with ${booking.crewName}`
            : booking.status === 'asked'
              ? `Would like ${formatDay(booking.day)}`
              : `${formatDay(booking.day)} was refused`}
        </b>
      </p>
      <p>
        {booking.services.map(({ name, frequency }) => `${name}, ${everyLabel[frequency]}`).join('; ')}
        {booking.totalCents === null ? null : (
          <>
            {' · '}
            <Money cents={booking.totalCents} /> a visit
          </>
        )}
        {booking.jobId ? (
          <>
            {' · '}
            <LinkTo href={linkTo.job(booking.jobId)}>Open the job</LinkTo>
          </>
        ) : null}
      </p>
      {booking.status === 'asked' ? <Answer leadId={leadId} booking={booking} /> : null}
    </section>
  )
}
