import { useEffect, useState } from 'react'
import { paths } from '../../../shared/paths.ts'
import { Alert } from '../../../ui/field/Alert.tsx'
import { FieldButton } from '../../../ui/field/FieldButton.tsx'
import { FieldCard } from '../../../ui/field/FieldCard.tsx'
import { FieldFacts } from '../../../ui/field/FieldFacts.tsx'
import { FieldScreen } from '../../../ui/field/FieldScreen.tsx'
import { Sheet } from '../../../ui/field/Sheet.tsx'
import { IconLogout, IconPhone } from '../../../ui/icons.ts'
import { useSession, useTour, useUser } from '../../accounts/web/session.ts'
import { CrewPushCard } from '../../push/web/CrewPushCard.tsx'
import { megabytesText } from '../figures/rules.ts'
import { unsentNotes } from '../shelves/web/unsent.ts'
import { CrewHeader } from './CrewHeader.tsx'
import { type Crew, chooseLanguage, useCrew } from './data.ts'
import { OwnDetails } from './OwnDetails.tsx'
import { unkeptOf, unsentOf } from './outboxState.ts'
import { useOwnProfile } from './ownProfile.ts'
import { usedBytes } from './photo.ts'
import { tellsNetwork } from './photoLine.ts'
import { PositionCard } from './positions/PositionCard.tsx'
import { Receipts } from './Receipts.tsx'
import { changeSettings, useSettings } from './settings.ts'
import type { CrewScreenProps } from './TodayScreen.tsx'
import type { Texts } from './texts.ts'
import { UnsentList } from './UnsentSheet.tsx'
import './crewapp.css'

const Segment = <V extends string>({
  label,
  name,
  value,
  options,
  onChange,
}: {
  label: string
  name: string
  value: V
  options: readonly { value: V; label: string; lang?: string }[]
  onChange: (value: V) => void
}) => (
  <fieldset className="c-segment">
    <legend>{label}</legend>
    {options.map((option) => (
      <label key={option.value} lang={option.lang}>
        <input
          type="radio"
          name={name}
          value={option.value}
          checked={option.value === value}
          onChange={() => onChange(option.value)}
        />
        {option.label}
      </label>
    ))}
  </fieldset>
)

const crewLabel = (crew: { name: string; members: string[] }, me: string, t: Texts): string => {
  const others = crew.members.filter((name) => name !== me.split(' ')[0])
  return others.length > 0 ? `${crew.name}, ${t.crewWith(others.join(', '))}` : crew.name
}

/** Asked again by a new key when something more is kept. */
const StorageUsed = ({ t }: { t: Texts }) => {
  const [bytes, setBytes] = useState<number | null>(null)
  useEffect(() => {
    let gone = false
    void usedBytes().then((used) => gone || setBytes(used))
    return () => {
      gone = true
    }
  }, [])
  return bytes === null ? null : <span className="muted num">{t.storageUsed(megabytesText(bytes))}</span>
}

const SignOut = ({ crew }: { crew: Crew }) => {
  const { t, state } = crew
  const session = useSession()
  const [asking, setAsking] = useState(false)
  const unsent = unsentOf(state) + unsentNotes(crew.outbox.userId)
  const unkept = unkeptOf(state)
  const leave = async () => {
    const { userId } = crew.outbox
    // Before the page is left: another document may come, and what was not removed by then would stay.
    await import('./forgetting.ts').then(
      (m) => m.forgetPerson(userId),
      () => undefined,
    )
    await session.signOut()
  }
  return (
    <>
      <FieldButton
        icon={<IconLogout aria-hidden="true" />}
        onClick={() => (unsent > 0 ? setAsking(true) : void leave())}
      >
        {t.signOut}
      </FieldButton>
      <Sheet open={asking} onClose={() => setAsking(false)} title={t.signOutTitle} closeLabel={t.close}>
        {unsent > unkept ? <p>{t.signOutText(unsent - unkept)}</p> : null}
        {unkept > 0 ? <p>{t.signOutLost(unkept)}</p> : null}
        <FieldButton kind="main" onClick={() => setAsking(false)}>
          {t.stay}
        </FieldButton>
        <FieldButton kind="danger" onClick={() => void leave()}>
          {t.signOutAnyway}
        </FieldButton>
      </Sheet>
    </>
  )
}

/** Who I am, my language, my light, what this phone keeps, and the way out. */
export const CrewProfileScreen = ({ dock }: CrewScreenProps) => {
  const crew = useCrew()
  const user = useUser()
  const onTour = useTour() !== null
  const settings = useSettings()
  const { t, state, language } = crew
  const { profile, failed, retry } = useOwnProfile(user._id)
  return (
    <FieldScreen header={<CrewHeader crew={crew} title={user.name} />} dock={dock(null)}>
      <div className="c-day">
        <FieldCard>
          <FieldFacts
            items={[
              { label: t.business, value: user.business.name },
              ...(profile?.crews ?? []).map((c) => ({ label: t.crew, value: crewLabel(c, user.name, t) })),
            ]}
          />
          {failed ? (
            <div className="c-stack" style={{ marginTop: 12 }}>
              <Alert tone="wait">{t.failedProfile}</Alert>
              <FieldButton onClick={retry}>{t.tryAgain}</FieldButton>
            </div>
          ) : null}
          {profile?.business.phone ? (
            <div style={{ marginTop: 16 }}>
              <FieldButton icon={<IconPhone aria-hidden="true" />} href={`tel:${profile.business.phone}`}>
                {t.callOffice}
              </FieldButton>
            </div>
          ) : null}
        </FieldCard>
        <div style={{ padding: '0 16px' }}>
          <FieldButton href={paths.employeeQuotes}>{t.noteQuote}</FieldButton>
        </div>
        <Receipts crew={crew} looks={onTour} />
        {onTour ? null : <OwnDetails t={t} />}
        {onTour ? null : <CrewPushCard userId={user._id} language={language} />}
        {onTour ? null : <PositionCard userId={user._id} language={language} timeZone={crew.timeZone} />}
        <FieldCard>
          <div className="c-stack">
            <Segment
              label={t.language}
              name="language"
              value={language}
              options={[
                { value: 'en', label: 'English', lang: 'en' },
                { value: 'es', label: 'Español', lang: 'es' },
              ]}
              onChange={(one) => chooseLanguage(crew.outbox.userId, one)}
            />
            <Segment
              label={t.light}
              name="light"
              value={settings.theme}
              options={[
                { value: 'sun', label: t.sun },
                { value: 'night', label: t.night },
                { value: 'auto', label: t.auto },
              ]}
              onChange={(theme) => changeSettings({ theme })}
            />
            {tellsNetwork() ? (
              <Segment
                label={t.photoLine}
                name="photos"
                value={settings.photosOn}
                options={[
                  { value: 'any', label: t.anyLine },
                  { value: 'wifi', label: t.wifiOnly },
                ]}
                onChange={(photosOn) => {
                  changeSettings({ photosOn })
                  void crew.outbox.flush()
                }}
              />
            ) : (
              <p className="muted">{t.lineUnknown}</p>
            )}
          </div>
        </FieldCard>
        <FieldCard>
          <div className="c-fact">
            <h2>{t.unsentTitle}</h2>
            <StorageUsed key={state.commands.length + state.photos.length} t={t} />
          </div>
          <UnsentList crew={crew} />
        </FieldCard>
        <div style={{ padding: '0 16px' }} className="c-stack">
          {user.role === 'Employee' ? null : <FieldButton href="/dashboard">{t.toOffice}</FieldButton>}
          <SignOut crew={crew} />
        </div>
      </div>
    </FieldScreen>
  )
}
