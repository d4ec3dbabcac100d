import { useQuery } from '@tanstack/react-query'
import { formatMinute } from '../../../../shared/dates.ts'
import { Card } from '../../../../ui/Card.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { ErrorState } from '../../../../ui/ErrorState.tsx'
import { SelectField } from '../../../../ui/SelectField.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { officeTopics } from '../../../push/contract.ts'
import { topicWords } from '../../../push/topics/rules.ts'
import type { NewsTopic, NewsWay, OwnChoices } from '../contract.ts'
import { choicesQuery, useDigest, useNews } from './data.ts'
import './news.css'

const failed = 'This did not work; nothing was changed. Check your connection and try again.'

const hours = [
  { value: 'none', label: 'No mail' },
  ...Array.from({ length: 24 }, (_, hour) => ({
    value: String(hour),
    label: `Every day at ${formatMinute(hour * 60)}`,
  })),
]

const Digest = ({ own }: { own: OwnChoices }) => {
  const digest = useDigest()
  const hour = digest.isPending ? digest.variables : own.digestHour
  return (
    <SelectField
      label="Mail with what you have not read"
      className="news-digest"
      hint={
        hour === null
          ? 'One mail a day at an hour of your own; none where there is nothing new.'
          : `To ${own.email ?? 'your address'}, in the time of your business. None where there is nothing new.`
      }
      options={hours}
      value={hour === null ? 'none' : String(hour)}
      disabled={digest.isPending}
      error={digest.isError ? failed : undefined}
      onChange={(value) => digest.mutate(value === 'none' ? null : Number(value))}
    />
  )
}

const Topics = ({ own }: { own: OwnChoices }) => {
  const { isOn, hasFailed, choose } = useNews()
  const way = (topic: NewsTopic, of: NewsWay, label: string, disabled = false) => (
    <CheckboxField
      label={label}
      value={isOn(topic, of)}
      disabled={disabled}
      error={hasFailed(topic, of) ? failed : undefined}
      onChange={(on) => choose({ topic, way: of, on })}
    />
  )
  return officeTopics.map((topic) => (
    <fieldset key={topic} className="news-topic">
      <legend>{topicWords[topic].name}</legend>
      <p className="hint">{topicWords[topic].hint}</p>
      {way(topic, 'bell', topic === 'needsYou' ? 'On the bell, always' : 'On the bell', topic === 'needsYou')}
      {way(topic, 'mail', 'In the mail', own.digestHour === null)}
    </fieldset>
  ))
}

/** What somebody of the office hears of, by kind and way, and the hour of their mail. */
export const NewsCard = () => {
  const found = useQuery(choicesQuery)
  return (
    <Card id="news" flush className="settings-card">
      <div className="settings-card__words">
        <h2>What you hear of</h2>
        <p className="muted">For you alone, on all your devices. What is not on the bell still goes into your mail.</p>
      </div>
      {found.data ? (
        <>
          <Digest own={found.data} />
          <Topics own={found.data} />
        </>
      ) : found.isError ? (
        <ErrorState
          compact
          error={found.error}
          title="We could not load this"
          onRetry={() => void found.refetch()}
          retrying={found.isFetching}
        />
      ) : (
        <Skeleton height={240} />
      )}
    </Card>
  )
}
