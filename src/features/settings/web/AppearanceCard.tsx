import { Card } from '../../../ui/Card.tsx'
import { RadioField } from '../../../ui/RadioField.tsx'
import { setTheme, type Theme, useTheme } from '../../../ui/theme/theme.ts'

const options = [
  { value: 'auto', label: 'As the system', hint: 'Dark when this computer or phone is.' },
  { value: 'light', label: 'Light', hint: 'Warm paper, for a bright room.' },
  { value: 'dark', label: 'Dark', hint: 'For planning tomorrow at 9 PM.' },
] as const satisfies readonly { value: Theme; label: string; hint: string }[]

/** Light or dark, at once. */
export const AppearanceCard = () => (
  <Card id="appearance" flush className="settings-card">
    <div className="settings-card__words">
      <h2>Appearance</h2>
      <p className="muted">In this browser, on every screen, maps included</p>
    </div>
    <RadioField label="Colors" hideLabel name="theme" value={useTheme()} options={options} onChange={setTheme} />
  </Card>
)
