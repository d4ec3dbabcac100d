import { formatMinute } from '../../../shared/dates.ts'
import { formatCents } from '../../../shared/money.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { PhoneField } from '../../../ui/PhoneField.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { StateField } from '../../../ui/StateField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { TimeField } from '../../../ui/TimeField.tsx'
import { labelIn } from '../../../ui/TwoAnswers.tsx'
import { useSession } from '../../accounts/web/session.ts'
import { TravelSuggestion } from '../../travel/web/TravelSuggestion.tsx'
import type { BusinessSettings } from '../contract.ts'
import { driveExampleMinutes, exponentOf, loadedWageCents, usualDriveFactor } from '../rules.ts'
import { Section } from './Section.tsx'

type Of = { settings: BusinessSettings }

const zones = [
  ['America/New_York', 'Eastern Time'],
  ['America/Chicago', 'Central Time'],
  ['America/Denver', 'Mountain Time'],
  ['America/Phoenix', 'Mountain Time, Arizona (no daylight saving time)'],
  ['America/Los_Angeles', 'Pacific Time'],
  ['America/Anchorage', 'Alaska Time'],
  ['Pacific/Honolulu', 'Hawaii Time'],
] as const

/** Empty is nothing, not an empty word. */
const orNull = (text: string): string | null => text.trim() || null

export const DetailsSection = ({ settings }: Of) => {
  const session = useSession()
  const known = zones.some(([zone]) => zone === settings.timeZone)
  return (
    <Section
      id="details"
      title="Business details"
      lead="Customers see these on invoices, mails and the page where they pay."
      settings={settings}
      saved="Details saved"
      onSaved={() => void session.refreshUser()}
      pick={(s) => ({
        name: s.name,
        phone: s.phone,
        email: s.email ?? '',
        street: s.street ?? '',
        city: s.city ?? '',
        state: s.state ?? '',
        zip: s.zip ?? '',
        timeZone: s.timeZone,
      })}
      words={{
        name: 'Name of the business',
        phone: { label: 'Phone', show: (phone) => phone && formatPhone(phone) },
        email: 'E-mail',
        street: 'Street',
        city: 'City',
        state: 'State',
        zip: 'ZIP code',
        timeZone: { label: 'Time zone', show: (zone) => zones.find(([value]) => value === zone)?.[1] ?? zone },
      }}
      toChange={(v) => ({
        ...v,
        email: orNull(v.email),
        street: orNull(v.street),
        city: orNull(v.city),
        state: orNull(v.state),
        zip: orNull(v.zip),
      })}
    >
      {({ control }) => (
        <FieldGrid min={200}>
          <FormField control={control} name="name">
            {(f) => <TextField {...f} className="is-whole" label="Name of the business" maxLength={120} />}
          </FormField>
          <FormField control={control} name="phone">
            {(f) => <PhoneField {...f} label="Phone" optional />}
          </FormField>
          <FormField control={control} name="email">
            {(f) => <TextField {...f} label="E-mail" type="email" optional hint="Answers of customers go here." />}
          </FormField>
          <FormField control={control} name="street">
            {(f) => <TextField {...f} className="is-whole" label="Street" optional />}
          </FormField>
          <FormField control={control} name="city">
            {(f) => <TextField {...f} label="City" optional />}
          </FormField>
          <FormField control={control} name="state">
            {(f) => <StateField {...f} label="State" optional />}
          </FormField>
          <FormField control={control} name="zip">
            {(f) => <TextField {...f} label="ZIP code" optional maxLength={12} />}
          </FormField>
          <FormField control={control} name="timeZone">
            {(f) => (
              <SelectField
                {...f}
                label="Time zone"
                hint="Days, quiet hours and due dates follow it."
                options={[
                  ...zones.map(([value, label]) => ({ value: value as string, label })),
                  ...(known ? [] : [{ value: settings.timeZone, label: settings.timeZone }]),
                ]}
              />
            )}
          </FormField>
        </FieldGrid>
      )}
    </Section>
  )
}

const dollarsOf = (cents: number | null) => (cents === null ? null : formatCents(cents))
const percentOf = (percent: number | null) => (percent === null ? null : `${percent}%`)

/** Wages and costs are null for who does not see payroll: the fields are left out then. */
const seesCosts = (settings: BusinessSettings): boolean => settings.defaultWageCents !== null

export const CostsSection = ({ settings }: Of) => (
  <Section
    id="costs"
    title="Costs and targets"
    lead="Routes are planned and profit is counted with these."
    settings={settings}
    saved="Costs saved"
    pick={(s) => ({
      defaultWageCents: s.defaultWageCents as number | null,
      burdenPercent: s.burdenPercent as number | null,
      targetLaborHourCents: s.targetLaborHourCents as number | null,
      mileCostCents: s.mileCostCents as number | null,
      travelTimePercent: Math.round((s.driveFactorSeconds / usualDriveFactor) * 100) as number | null,
      twice: (Math.round(2 ** s.driveExponent * 100) / 100) as number | null,
    })}
    words={{
      defaultWageCents: { label: 'Usual wage', show: dollarsOf },
      burdenPercent: { label: 'On top of wages', show: percentOf },
      targetLaborHourCents: { label: 'Target per labor hour', show: dollarsOf },
      mileCostCents: { label: 'Cost of a mile', show: dollarsOf },
      travelTimePercent: { label: 'Drive times against the usual', show: percentOf },
      twice: 'Twice as far takes',
    }}
    toChange={(v) => ({
      ...(seesCosts(settings)
        ? {
            defaultWageCents: v.defaultWageCents ?? 0,
            burdenPercent: Math.round(v.burdenPercent ?? 0),
            mileCostCents: v.mileCostCents ?? 0,
          }
        : {}),
      ...(settings.targetLaborHourCents === null ? {} : { targetLaborHourCents: v.targetLaborHourCents ?? 0 }),
      driveFactorSeconds: Math.round(((v.travelTimePercent ?? 100) / 100) * usualDriveFactor),
      driveExponent: exponentOf(v.twice),
    })}
  >
    {({ control, watch }) => {
      const [wage, burden, travelTimePercent, twice] = watch([
        'defaultWageCents',
        'burdenPercent',
        'travelTimePercent',
        'twice',
      ])
      const factor = ((travelTimePercent ?? 100) / 100) * usualDriveFactor
      const minutes = (miles: number) => driveExampleMinutes(miles, factor, exponentOf(twice))
      return (
        <FieldGrid min={200}>
          {seesCosts(settings) ? (
            <FormField control={control} name="defaultWageCents" needed="Type the wage of an hour.">
              {(f) => <MoneyField {...f} label="Usual wage" unit="/ hour" hint="Where a person has no own wage." />}
            </FormField>
          ) : null}
          {seesCosts(settings) ? (
            <FormField control={control} name="burdenPercent" needed="Type a percentage; 0 when nothing comes on top.">
              {(f) => (
                <NumberField
                  {...f}
                  label="On top of wages"
                  unit="%"
                  min={0}
                  max={200}
                  hint={`Payroll tax and insurance: an hour costs ${formatCents(loadedWageCents(wage ?? 0, burden ?? 0))}.`}
                />
              )}
            </FormField>
          ) : null}
          {settings.targetLaborHourCents !== null ? (
            <FormField control={control} name="targetLaborHourCents" needed="Type what an hour should bring in.">
              {(f) => (
                <MoneyField
                  {...f}
                  label="Target per labor hour"
                  unit="/ hour"
                  hint="What one person should bring in, drive included."
                />
              )}
            </FormField>
          ) : null}
          {seesCosts(settings) ? (
            <FormField control={control} name="mileCostCents" needed="Type the cost of a mile.">
              {(f) => (
                <MoneyField
                  {...f}
                  label="A mile costs"
                  unit="/ mile"
                  hint="Fuel, wear, insurance of truck and trailer."
                />
              )}
            </FormField>
          ) : null}
          <FormField control={control} name="travelTimePercent" needed="Type a percentage; 100 is usual.">
            {(f) => (
              <NumberField
                {...f}
                className="is-whole"
                label="Drive times against the usual"
                unit="%"
                min={20}
                max={600}
                step={5}
                hint={`More when your roads are slow. Now a mile between stops counts ${minutes(1)} min, three miles ${minutes(3)} min, ten miles ${minutes(10)} min.`}
              />
            )}
          </FormField>
          <FormField control={control} name="twice" needed="Type a number; 1.58 is usual.">
            {(f) => (
              <NumberField
                {...f}
                className="is-whole"
                label="Twice as far takes"
                unit="times as long"
                min={1.24}
                max={2.29}
                step={0.05}
                hint="1.58 is usual: longer drives use faster roads. 2 would be the same speed near and far."
              />
            )}
          </FormField>
          <TravelSuggestion version={settings.version} minutes={driveExampleMinutes} />
        </FieldGrid>
      )
    }}
  </Section>
)

const evenness = [
  { value: 'cost', label: 'Does not matter', hint: 'The least driving and labor.' },
  { value: 'hour', label: 'Within an hour of each other', hint: 'Some more driving on most days.' },
  { value: 'even', label: 'As close together as can be', hint: 'The most driving of the three.' },
] as const

/** How a search shares a day out unless it is asked otherwise. */
export const RoutesSection = ({ settings }: Of) => (
  <Section
    id="routes"
    title="Routes"
    lead="What Optimize aims for. Its result says what the other ways would cost on that day, and plans the day so at a press."
    settings={settings}
    saved="Routes saved"
    pick={(s) => ({ routeEvenness: s.routeEvenness })}
    words={{ routeEvenness: { label: 'When the crews of a day end', show: labelIn(evenness) } }}
    toChange={(v) => v}
  >
    {({ control }) => (
      <FormField control={control} name="routeEvenness">
        {(f) => <RadioField {...f} label="When the crews of a day end" options={evenness} />}
      </FormField>
    )}
  </Section>
)

const timeOf = (minute: number | null) => (minute === null ? null : formatMinute(minute))

export const QuietSection = ({ settings }: Of) => (
  <Section
    id="quiet"
    title="Quiet hours"
    lead="No text leaves in these hours, by the clock where the customer lives; it waits until morning. Mail and answers in a running conversation are not held."
    settings={settings}
    saved="Quiet hours saved"
    pick={(s) => ({
      quietStartMinute: s.quietStartMinute as number | null,
      quietEndMinute: s.quietEndMinute as number | null,
    })}
    words={{
      quietStartMinute: { label: 'Quiet from', show: timeOf },
      quietEndMinute: { label: 'Until', show: timeOf },
    }}
    toChange={(v) => ({ quietStartMinute: v.quietStartMinute ?? 1260, quietEndMinute: v.quietEndMinute ?? 480 })}
  >
    {({ control }) => (
      <FieldGrid min={200}>
        <FormField control={control} name="quietStartMinute" needed="Type when the quiet hours begin.">
          {(f) => <TimeField {...f} label="Quiet from" step={30} />}
        </FormField>
        <FormField control={control} name="quietEndMinute" needed="Type when the quiet hours end.">
          {(f) => (
            <TimeField
              {...f}
              label="Until"
              step={30}
              hint="Federal rules allow texts only from 8:00 AM to 9:00 PM, by the clock where the reader is."
            />
          )}
        </FormField>
      </FieldGrid>
    )}
  </Section>
)
