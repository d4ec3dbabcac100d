import { useQuery } from '@tanstack/react-query'
import { formatDay } from '#src/shared/dates.ts'
import { linkTo } from '#src/shared/links.ts'
import { Banner } from '#src/ui/Banner.tsx'
import { Button } from '#src/ui/Button.tsx'
import { ErrorState } from '#src/ui/ErrorState.tsx'
import { LinkTo } from '#src/ui/LinkTo.tsx'
import { Money } from '#src/ui/Money.tsx'
import { Skeleton } from '#src/ui/Skeleton.tsx'
import { toast } from '#src/ui/toast.tsx'
import { useMay } from '../../../accounts/web/session.ts'
import { measureFirst } from '../../../services/measures/rules.ts'
import type { JobRecord } from '../../contract.ts'
import { programsApi } from '../contract.ts'
import { renewalQuery, useSetRenewal } from './data.ts'
import './programs.css'

/** What becomes of a job of a program after its season, and the one press that stops it. */
export const JobRenewal = ({ job }: { job: Pick<JobRecord, 'id' | 'customerId' | 'propertyId'> }) => {
  const jobId = job.id
  const may = useMay()
  const found = useQuery(renewalQuery(jobId))
  const set = useSetRenewal(jobId)
  const renewal = found.data
  if (found.error && !renewal)
    return <ErrorState compact error={found.error} onRetry={() => void found.refetch()} retrying={found.isFetching} />
  if (!renewal) return <Skeleton width="60%" />
  const { renews, renewedAs, refusal, year, rounds, totalCents } = renewal
  const put = (on: boolean) =>
    set.mutate(
      { renews: on, version: renewal.version },
      {
        onSuccess: (now) =>
          toast.undo(
            now.renews && !now.refusal
              ? `Renews ${now.due ? 'tonight' : `on ${formatDay(now.renewsOn, { year: true })}`}`
              : now.renews
                ? 'Renews once it can'
                : 'Does not renew any more',
            () => set.mutate({ renews: !on, version: now.version }, { onError: toast.error }),
            `renewal ${jobId}`,
          ),
        onError: toast.error,
      },
    )
  return (
    <section className="job-part" aria-label="Next season">
      <h3>Next season</h3>
      <div className="prg-renewal">
        <span>
          {renewedAs ? (
            <>
              Renewed: <LinkTo href={linkTo.job(renewedAs.id)}>J-{renewedAs.number}</LinkTo>
              {renewedAs.canceled ? ', canceled since. It is not made again.' : null}
            </>
          ) : !renewal.can.change && refusal ? (
            <span className="muted">{refusal}</span>
          ) : renews ? (
            <>
              <b>
                {refusal
                  ? 'Does not renew as it stands'
                  : `Renews ${renewal.due ? 'tonight' : formatDay(renewal.renewsOn, { year: true })}`}
                : {rounds} {rounds === 1 ? 'round' : 'rounds'}
                {totalCents === null ? null : (
                  <>
                    , <Money cents={totalCents} />
                  </>
                )}
              </b>
              <br />
              <span className="hint">
                The {year} season, from {formatDay(renewal.opensOn, { year: true })}, with the prices that the book then
                says for each round.
              </span>
            </>
          ) : (
            <span className="muted">Does not renew. It ends with this season.</span>
          )}
        </span>
        {renewal.can.change && may(programsApi.update) ? (
          <Button size="s" href={linkTo.renewals()}>
            Renew with others
          </Button>
        ) : null}
        {renewal.can.change ? (
          <Button calls={programsApi.setRenewal} size="s" loading={set.isPending} onClick={() => put(!renews)}>
            {renews ? 'Stop renewing' : 'Renew every season'}
          </Button>
        ) : null}
      </div>
      {renews && refusal && !renewedAs && renewal.can.change ? (
        <Banner
          tone="warn"
          action={
            renewal.missing ? (
              <Button size="s" href={linkTo.measure(job.customerId, job.propertyId)}>
                {measureFirst[renewal.missing]}
              </Button>
            ) : undefined
          }
        >
          {refusal}
        </Banner>
      ) : null}
    </section>
  )
}
