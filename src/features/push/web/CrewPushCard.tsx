import { Alert } from '../../../ui/field/Alert.tsx'
import { CheckItem } from '../../../ui/field/CheckItem.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { crewTopics } from '../contract.ts'
import type { PushLanguage } from '../rules.ts'
import { usePush, useTopics } from './data.ts'
import { pushTexts } from './pushTexts.ts'
import { PushRefused, wantsHomeScreen } from './thisDevice.ts'

/** What a crew member's phone rings for, each kind by itself. */
const CrewTopics = ({ userId, language }: { userId: string; language: PushLanguage }) => {
  const w = pushTexts[language]
  const { isOn, hasFailed, choose } = useTopics(userId)
  return (
    <fieldset className="f-choices">
      <legend>{w.topics}</legend>
      <p className="muted">{w.topicsHint}</p>
      {hasFailed ? <Alert tone="wait">{w.failed}</Alert> : null}
      {crewTopics.map((topic) => (
        <CheckItem
          key={topic}
          label={w.topic[topic].name}
          hint={w.topic[topic].hint}
          checked={isOn(topic)}
          onChange={(on) => choose(topic, on)}
        />
      ))}
    </fieldset>
  )
}

/** A crew member's switch for alerts on this phone. Asks for the permission only here, by a tap. */
export const CrewPushCard = ({ userId, language }: { userId: string; language: PushLanguage }) => {
  const w = pushTexts[language]
  const { query, can, on, change } = usePush(userId, language)
  if (!query.data) return null
  const { error } = change
  return (
    <FieldCard>
      <div className="c-stack">
        <h2>{w.title}</h2>
        <p>{w.what}</p>
        {wantsHomeScreen() ? (
          <p className="muted">{w.homeScreen}</p>
        ) : can ? (
          <>
            <p>
              <b>{on ? w.on : w.off}</b>
            </p>
            {error ? (
              <Alert tone="wait">{error instanceof PushRefused && error.why === 'denied' ? w.denied : w.failed}</Alert>
            ) : null}
            <FieldButton busy={change.isPending} onClick={() => change.mutate(!on)}>
              {on ? w.turnOff : w.turnOn}
            </FieldButton>
            {query.data.own.devices.length > 0 ? <CrewTopics userId={userId} language={language} /> : null}
          </>
        ) : (
          <p className="muted">{w.cannot}</p>
        )}
      </div>
    </FieldCard>
  )
}
