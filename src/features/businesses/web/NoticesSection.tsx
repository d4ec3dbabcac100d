import { useState } from 'react'
import { formatMinute } from '../../../shared/dates.ts'
import { hubPath } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FilterChips } from '../../../ui/FilterChips.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { LinkTo } from '../../../ui/LinkTo.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { labelIn } from '../../../ui/TwoAnswers.tsx'
import { smsSegments } from '../../messages/rules.ts'
import type { BusinessSettings } from '../contract.ts'
import {
  asSms,
  fillText,
  type Language,
  longestNoticeText,
  type NoticeKind,
  type NoticeTexts,
  noticeKinds,
  noticeTextProblem,
  usualTexts,
  variablesOf,
} from '../notices/rules.ts'
import { Section } from './Section.tsx'

type Of = { settings: BusinessSettings }

const reminders = [
  {
    value: 'some',
    label: 'All but recurring mowing',
    hint: 'Treatments, cleanups and one-time work, where a locked gate costs a trip.',
  },
  { value: 'all', label: 'Every visit', hint: 'Each text counts against the segments of your plan.' },
  { value: 'off', label: 'Nobody' },
] as const

const textOn = (on: boolean) => (on ? 'on' : 'off')
const timeOf = (minute: number | null) => (minute === null ? null : formatMinute(minute))

/** What an arrival window is made of, for who wonders how wide it is. */
const windowWords = ({ arrivalErrorMinutes, arrivalStarts }: BusinessSettings): string =>
  arrivalErrorMinutes === null
    ? `Arrival windows are two hours to each side of the plan until 20 visits began on a published day (now ${arrivalStarts}).`
    : `Arrival windows come from your own days: of ${arrivalStarts} visits in 60 days, nine of ten began within ${arrivalErrorMinutes} minutes of the plan, so a window is that wide to each side, rounded out to half hours.`

/** What customers hear by themselves. */
export const NoticesSection = ({ settings }: Of) => (
  <Section
    id="notices"
    title="Customers know"
    lead={
      <>
        By text, or by mail where texts are closed. Each customer can be left out of each. Nothing leaves in quiet
        hours. All that leaves by itself stands under{' '}
        <LinkTo href={hubPath('customers', 'automations')}>Automations</LinkTo>, with a dry run of reminders over the
        last month.
      </>
    }
    settings={settings}
    saved="Saved"
    pick={(s) => ({
      reminders: s.reminders,
      reminderMinute: s.reminderMinute as number | null,
      tellMoves: s.tellMoves,
      tellOnWay: s.tellOnWay,
      sharePhotos: s.sharePhotos,
      shareChecklists: s.shareChecklists,
    })}
    words={{
      reminders: { label: 'Reminder the day before', show: labelIn(reminders) },
      reminderMinute: { label: 'Reminders leave at', show: timeOf },
      tellMoves: { label: 'Tell of moves', show: textOn },
      tellOnWay: { label: 'Tell that the crew is on its way', show: textOn },
      sharePhotos: { label: 'Share photos', show: textOn },
      shareChecklists: { label: 'Share checklists', show: textOn },
    }}
    toChange={(v) => ({ ...v, reminderMinute: v.reminderMinute ?? 1020 })}
  >
    {({ control, watch }) => (
      <FieldGrid min={260}>
        <FormField control={control} name="reminders">
          {(f) => <RadioField {...f} className="is-whole" label="Reminder the day before" options={reminders} />}
        </FormField>
        {watch('reminders') === 'off' ? null : (
          <FormField control={control} name="reminderMinute" needed="Type when reminders leave.">
            {(f) => <TimeField {...f} label="Reminders leave at" step={30} hint={`In your time zone, for tomorrow.`} />}
          </FormField>
        )}
        <FormField control={control} name="tellMoves">
          {(f) => (
            <CheckboxField
              {...f}
              className="is-whole"
              label="Tell when a visit moves whose day they were told"
              hint="Five minutes after the last change, so that taking it back recalls it; one message, however many moves."
            />
          )}
        </FormField>
        <FormField control={control} name="tellOnWay">
          {(f) => (
            <CheckboxField
              {...f}
              className="is-whole"
              label="Tell when the crew is on its way"
              hint="When the crew presses On my way, the first time."
            />
          )}
        </FormField>
        <FormField control={control} name="sharePhotos">
          {(f) => (
            <CheckboxField
              {...f}
              className="is-whole"
              label="Show photos of finished work on the visit’s page"
              hint="Every message links to that page. It shows no address and nothing of other customers."
            />
          )}
        </FormField>
        <FormField control={control} name="shareChecklists">
          {(f) => (
            <CheckboxField
              {...f}
              className="is-whole"
              label="Show what the crew ticked on that page, once the visit is finished"
              hint="The points of your services' checklists, as they are written there."
            />
          )}
        </FormField>
        <p className="muted is-whole">{windowWords(settings)}</p>
      </FieldGrid>
    )}
  </Section>
)

const noticeNames: Readonly<Record<NoticeKind, string>> = {
  reminder: 'Reminder',
  moved: 'A visit moved',
  on_way: 'On the way',
}
const languageNames: Readonly<Record<Language, string>> = { en: 'English', es: 'Spanish' }

const sampleOf = (settings: BusinessSettings, language: Language): Record<string, string> => ({
  business: settings.name,
  phone: settings.phone ? formatPhone(settings.phone) : '',
  first_name: 'Rebecca',
  crew: language === 'es' ? 'Equipo Norte' : 'Crew North',
  when: language === 'es' ? 'mar, 9 de jun, 9 AM a 11 AM' : 'Tue, Jun 9, 9 AM to 11 AM',
  services: language === 'es' ? 'Aireacion' : 'Aeration',
  changes:
    language === 'es'
      ? 'su visita del mar, 9 de jun ahora es el mie, 10 de jun'
      : 'your visit of Tue, Jun 9 is now on Wed, Jun 10',
  link: `${location.origin}/visit/${'k7Q'.repeat(15).slice(0, 43)}`,
})

/** How a text would read, and what it costs. */
const Preview = ({ settings, kind, language, text }: Of & { kind: NoticeKind; language: Language; text: string }) => {
  const filled = asSms(fillText(text.trim() || usualTexts[`${kind}.${language}`], sampleOf(settings, language)))
  const { segments } = smsSegments(filled)
  return (
    <p className="notice-preview is-whole">
      <span lang={language}>{filled}</span>
      <span className="hint">
        {filled.length} characters, {segments === 1 ? '1 segment' : `${segments} segments`}
      </span>
    </p>
  )
}

type Field = `${NoticeKind}_${Language}`
type Values = Record<Field, string>

const valuesOf = (texts: NoticeTexts): Values => ({
  reminder_en: texts['reminder.en'] ?? '',
  reminder_es: texts['reminder.es'] ?? '',
  moved_en: texts['moved.en'] ?? '',
  moved_es: texts['moved.es'] ?? '',
  on_way_en: texts['on_way.en'] ?? '',
  on_way_es: texts['on_way.es'] ?? '',
})

const textsOf = (v: Values): NoticeTexts => ({
  'reminder.en': v.reminder_en.trim(),
  'reminder.es': v.reminder_es.trim(),
  'moved.en': v.moved_en.trim(),
  'moved.es': v.moved_es.trim(),
  'on_way.en': v.on_way_en.trim(),
  'on_way.es': v.on_way_es.trim(),
})

/** The words of what customers hear by themselves. */
export const NoticeTextsSection = ({ settings }: Of) => {
  const [language, setLanguage] = useState<Language>('en')
  return (
    <Section
      id="notice-texts"
      title="Words of these messages"
      lead="Leave a field empty for our words. What stands in braces is filled in for each customer."
      settings={settings}
      saved="Words saved"
      pick={(s) => valuesOf(s.noticeTexts)}
      words={{
        reminder_en: 'Reminder, English',
        reminder_es: 'Reminder, Spanish',
        moved_en: 'A visit moved, English',
        moved_es: 'A visit moved, Spanish',
        on_way_en: 'On the way, English',
        on_way_es: 'On the way, Spanish',
      }}
      toChange={(v) => ({ noticeTexts: textsOf(v) })}
    >
      {({ control, watch }) => (
        <>
          <FilterChips<Language>
            label="Language"
            single
            values={[language]}
            onChange={([next]) => setLanguage(next ?? language)}
            chips={(['en', 'es'] as const).map((value) => ({ value, label: languageNames[value] }))}
          />
          <FieldGrid min={260}>
            {noticeKinds.map((kind) => {
              const name: Field = `${kind}_${language}`
              const text = watch(name)
              return [
                <FormField key={name} control={control} name={name}>
                  {(f) => (
                    <TextAreaField
                      {...f}
                      className="is-whole"
                      label={`${noticeNames[kind]}, ${languageNames[language]}`}
                      placeholder={usualTexts[`${kind}.${language}`]}
                      maxLength={longestNoticeText}
                      error={noticeTextProblem(kind, text) ?? f.error}
                      hint={variablesOf(kind)
                        .map((one) => `{${one}}`)
                        .join(' ')}
                    />
                  )}
                </FormField>,
                <Preview key={`${name}-preview`} settings={settings} kind={kind} language={language} text={text} />,
              ]
            })}
          </FieldGrid>
        </>
      )}
    </Section>
  )
}
