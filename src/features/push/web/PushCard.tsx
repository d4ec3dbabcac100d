import { Card } from '../../../ui/Card.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { useUser } from '../../accounts/web/session.ts'
import { officeTopics } from '../contract.ts'
import { topicWords } from '../topics/rules.ts'
import { usePush, useTopics } from './data.ts'
import { PushRefused, wantsHomeScreen } from './thisDevice.ts'
import './push.css'

const why = (error: unknown): string =>
  error instanceof PushRefused && error.why === 'denied'
    ? 'Alerts are blocked for this site. Allow them in the settings of this browser, then try again.'
    : 'This did not work; nothing was changed. Check your connection and try again.'

const noAlerts = 'Alerts do not reach this device. Everything is on the bell when you open Swath.'
const homeScreen =
  'On an iPhone, first add Swath to your home screen (Share, Add to Home Screen). Then turn it on there.'

/** What the devices of somebody of the office ring for, each kind by itself. */
const OfficeTopics = ({ userId }: { userId: string }) => {
  const { isOn, errorOf, choose } = useTopics(userId)
  return (
    <fieldset className="push-topics">
      <legend>What rings</legend>
      <p className="muted">On all your devices. The bell and the mail are chosen above.</p>
      {officeTopics.map((topic) => (
        <SwitchField
          key={topic}
          label={topicWords[topic].name}
          hint={topicWords[topic].hint}
          value={isOn(topic)}
          error={errorOf(topic) ? why(errorOf(topic)) : undefined}
          onChange={(on) => choose(topic, on)}
        />
      ))}
    </fieldset>
  )
}

/** The office's switch for alerts on this device. Asks for the permission only here, by a click. */
export const PushCard = () => {
  const user = useUser()
  const { query, can, on, change } = usePush(user._id, 'en')
  return (
    <Card id="push" flush className="settings-card">
      <div className="settings-card__words">
        <h2>On this device</h2>
        <p className="muted">What the bell gets, also while Swath is closed. Amounts and gate codes are left out.</p>
      </div>
      {query.data ? (
        can ? (
          <>
            <SwitchField
              label="Alerts on this device"
              hint="Your browser asks once. It ends when you sign out here."
              value={change.isPending ? change.variables : on}
              disabled={change.isPending}
              error={change.error ? why(change.error) : undefined}
              onChange={(wish) => change.mutate(wish)}
            />
            {query.data.own.devices.length > 0 ? <OfficeTopics userId={user._id} /> : null}
          </>
        ) : (
          <p className="muted">{wantsHomeScreen() ? homeScreen : noAlerts}</p>
        )
      ) : query.isError ? (
        <ErrorState
          compact
          error={query.error}
          title="We could not load this"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        />
      ) : (
        <Skeleton height={48} />
      )}
    </Card>
  )
}
