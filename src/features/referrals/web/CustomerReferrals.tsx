import { useQuery } from '@tanstack/react-query'
import { dayOf, formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { copyLink } from '../../../ui/copy.ts'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { IconCopy } from '../../../ui/icons.ts'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { type Referrals, referralsApi } from '../contract.ts'
import { referralStateLabel, rewardWords } from '../rules.ts'
import { referralsQuery, useGiveCode } from './data.ts'
import './referrals.css'

const promised = ({ on, giverCents, friendCents }: Referrals): string =>
  giverCents === null || friendCents === null
    ? 'Who comes with this code is known to be sent by them.'
    : (rewardWords({ referralOn: on, referralGiverCents: giverCents, referralFriendCents: friendCents }) ??
      'No reward is set. You can set one under Leads, Form and page.')

/** A customer's own code for neighbors, who came with it, and what it earned them. */
export const CustomerReferrals = ({ customer }: { customer: { id: string; name: string } }) => {
  const { timeZone } = useUser().business
  const may = useMay()
  const sees = may(referralsApi.get)
  const found = useQuery({ ...referralsQuery(customer.id), enabled: sees })
  const give = useGiveCode(customer.id)
  if (!sees) return null
  const { data } = found
  return (
    <section className="panel-section" aria-label="Referrals">
      <header>
        <h3>Referrals</h3>
        {data && data.code === null && may(referralsApi.give) ? (
          <Button
            calls={referralsApi.give}
            size="s"
            kind="quiet"
            loading={give.isPending}
            onClick={() => give.mutate(undefined, { onError: toast.error })}
          >
            Make a code
          </Button>
        ) : null}
      </header>
      {found.isError ? (
        <ErrorState compact error={found.error} onRetry={found.refetch} retrying={found.isFetching} />
      ) : data === undefined ? (
        <Skeleton height={44} />
      ) : (
        <>
          {data.code ? (
            <p className="referral-code">
              <code>{data.code}</code>
              {data.link ? (
                <Button size="s" icon={<IconCopy />} onClick={() => void copyLink(data.link ?? '')}>
                  Copy link
                </Button>
              ) : (
                <span className="hint">Your business page is off, so there is no link to share.</span>
              )}
            </p>
          ) : (
            <p className="muted">A code that {customer.name} gives to neighbors.</p>
          )}
          <p className="hint">{promised(data)}</p>
          {data.items.length > 0 ? (
            <ul className="referral-list">
              {data.items.map((one) => (
                <li key={one.leadId}>
                  <span>
                    <LinkTo href={one.customerId ? linkTo.customer(one.customerId) : linkTo.lead(one.leadId)}>
                      {one.name}
                    </LinkTo>
                    <span className="hint">
                      {formatDay(dayOf(one.at, timeZone))} · {referralStateLabel[one.state]}
                    </span>
                  </span>
                  {one.rewardCents ? <Money cents={one.rewardCents} /> : null}
                </li>
              ))}
            </ul>
          ) : data.code ? (
            <p className="muted">Nobody came with it yet.</p>
          ) : null}
        </>
      )}
    </section>
  )
}
