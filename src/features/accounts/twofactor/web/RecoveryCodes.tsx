import { useState } from 'react'
import { brand } from '../../../../shared/brand.ts'
import { Banner } from '../../../../ui/Banner.tsx'
import { Button } from '../../../../ui/Button.tsx'
import { CheckboxField } from '../../../../ui/CheckboxField.tsx'
import { copyText } from '../../../../ui/copy.ts'
import { FormActions } from '../../../../ui/FormActions.tsx'
import './twofactor.css'

/** Ten codes for who loses the phone, shown this once. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const [kept, setKept] = useState(false)
  const text = codes.join('\n')
  const copy = () =>
    copyText(text, 'Recovery codes copied', 'The codes could not be copied; download them or select them instead.')
  return (
    <div className="two-codes">
      <Banner tone="done" title="The second step is on.">
        Keep these recovery codes where your phone is not. Each signs you in once, and they are never shown again.
      </Banner>
      <ol>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CheckboxField label="I have kept these codes" value={kept} onChange={setKept} />
      <FormActions>
        <Button kind="primary" disabled={!kept} onClick={onDone}>
          Done
        </Button>
        <Button onClick={() => void copy()}>Copy all</Button>
        <Button
          download={`${brand.name.toLowerCase()}-recovery-codes.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${brand.name} recovery codes\n\n${text}\n`)}`}
        >
          Download
        </Button>
      </FormActions>
    </div>
  )
}
