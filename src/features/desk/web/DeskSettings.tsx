import { useQuery } from '@tanstack/react-query'
import { timeZoneLabel } from '../../../shared/timeZone.ts'
import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { CardSkeleton } from '../../../ui/Skeleton.tsx'
import { OwnerSecondStep } from '../../owner/web/OwnerSecondStep.tsx'
import { useOwner } from '../../owner/web/session.ts'
import { CallSettings } from './CallSettings.tsx'
import { CouponSettings } from './CouponSettings.tsx'
import { settingsQuery } from './data.ts'
import { SenderSettings } from './SenderSettings.tsx'
import { TemplateSettings } from './TemplateSettings.tsx'

/** What the product owner decides: admissions and sender, when calls may be booked, what the templates say, how they sign in. */
export const DeskSettings = () => {
  const { ask } = useOwner()
  const found = useQuery(settingsQuery(ask))
  if (found.isError && !found.data)
    return (
      <ErrorState
        error={found.error}
        title="The settings are not here yet"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  if (!found.data) return <CardSkeleton />
  return (
    <div className="desk-settings">
      <div>
        <Card title="Sender and admissions" as="section">
          <SenderSettings settings={found.data} />
        </Card>
        <Card title="Coupons" hint="for both checkouts, once each" as="section">
          <CouponSettings />
        </Card>
        <Card title="Templates" hint="what the quick templates say" as="section">
          <TemplateSettings />
        </Card>
      </div>
      <div>
        <Card title="Calls" hint={`times in ${timeZoneLabel(found.data.timeZone)}`} as="section">
          <CallSettings settings={found.data} />
        </Card>
        <Card title="Sign-in" hint="to the desk and the portal" as="section">
          <OwnerSecondStep />
        </Card>
      </div>
    </div>
  )
}
