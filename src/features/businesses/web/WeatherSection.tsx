import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import type { BusinessSettings } from '../contract.ts'
import { Section } from './Section.tsx'

/** From when on the weather speaks against working. */
export const WeatherSection = ({ settings }: { settings: BusinessSettings }) => (
  <Section
    id="weather"
    title="Weather"
    lead="From here on Swath suggests moving a day, two days ahead, and flags treatments. Where no forecast is connected, mark wet hours by hand on the route map or the calendar."
    settings={settings}
    saved="Weather saved"
    pick={(s) => ({
      rainInches: (s.rainHundredthsInch / 100) as number | null,
      rainChancePercent: s.rainChancePercent as number | null,
      sprayWindMph: s.sprayWindMph as number | null,
      treatHeatIndexF: s.treatHeatIndexF as number | null,
    })}
    words={{
      rainInches: { label: 'Rain in the work hours', show: (n) => `${n} in` },
      rainChancePercent: { label: 'Or a chance of rain of', show: (n) => `${n}%` },
      sprayWindMph: { label: 'Wind that stops treatments', show: (n) => `over ${n} mph` },
      treatHeatIndexF: { label: 'Heat index that stops treatments', show: (n) => `${n} °F` },
    }}
    toChange={(v) => ({
      ...(v.rainInches == null ? {} : { rainHundredthsInch: Math.round(v.rainInches * 100) }),
      ...(v.rainChancePercent == null ? {} : { rainChancePercent: v.rainChancePercent }),
      ...(v.sprayWindMph == null ? {} : { sprayWindMph: v.sprayWindMph }),
      ...(v.treatHeatIndexF == null ? {} : { treatHeatIndexF: v.treatHeatIndexF }),
    })}
  >
    {({ control }) => (
      <FieldGrid min={220}>
        <FormField control={control} name="rainInches" needed="Type a number of inches; 0.1 is usual.">
          {(f) => (
            <NumberField
              {...f}
              label="Rain in the work hours"
              unit="in"
              min={0.01}
              max={3}
              step={0.05}
              hint="So much in a day's work hours suggests moving it."
            />
          )}
        </FormField>
        <FormField control={control} name="rainChancePercent" needed="Type a percentage; 60 is usual.">
          {(f) => (
            <NumberField
              {...f}
              label="Or a chance of rain of"
              unit="%"
              min={5}
              max={100}
              step={5}
              hint="In any work hour; that hour counts as lost."
            />
          )}
        </FormField>
        <FormField control={control} name="sprayWindMph" needed="Type miles an hour; 10 is usual.">
          {(f) => (
            <NumberField
              {...f}
              label="Wind that stops treatments"
              unit="mph"
              min={1}
              max={60}
              hint="More than this flags them. The label of the product may ask for less."
            />
          )}
        </FormField>
        <FormField control={control} name="treatHeatIndexF" needed="Type a heat index; 90 is usual.">
          {(f) => (
            <NumberField
              {...f}
              label="Heat index that stops treatments"
              unit="°F"
              min={60}
              max={140}
              hint="What the temperature feels like with the humidity."
            />
          )}
        </FormField>
      </FieldGrid>
    )}
  </Section>
)
