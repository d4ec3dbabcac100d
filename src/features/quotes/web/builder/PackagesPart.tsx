import { formatCents } from '../../../../shared/money.ts'
import { Button } from '../../../../ui/Button.tsx'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../../ui/icons.ts'
import { TextField } from '../../../../ui/TextField.tsx'
import type { QuoteContent } from '../../contract.ts'
import { most, type QuoteTaxes, quoteTotals } from '../../rules.ts'
import { rowId } from './edit.ts'

type Props = { content: QuoteContent; tax: QuoteTaxes; onChange: (content: QuoteContent) => void }

/** Good, better, best: what each is called and comes to; which line is in which stands at the line. */
export const PackagesPart = ({ content, tax, onChange }: Props) => {
  const { packages } = content
  const set = (id: string, part: Partial<QuoteContent['packages'][number]>) =>
    onChange({ ...content, packages: packages.map((one) => (one.id === id ? { ...one, ...part } : one)) })
  const remove = (id: string) =>
    onChange({
      ...content,
      packages: packages.filter((one) => one.id !== id),
      lines: content.lines.map((line) => ({ ...line, packageIds: line.packageIds.filter((one) => one !== id) })),
    })
  if (packages.length === 0)
    return (
      <Button
        kind="quiet"
        size="s"
        icon={<IconPlus />}
        onClick={() =>
          onChange({
            ...content,
            packages: ['Good', 'Better', 'Best'].map((name) => ({
              id: rowId(),
              name,
              description: '',
              recommended: name === 'Better',
            })),
          })
        }
      >
        Offer good, better, best
      </Button>
    )
  return (
    <div className="qb-packages">
      {packages.map((one) => (
        <fieldset
          key={one.id}
          aria-label={`Package ${one.name}`}
          className={`qb-package${one.recommended ? ' is-recommended' : ''}`}
        >
          <TextField
            label="Name"
            hideLabel
            value={one.name}
            onChange={(name) => set(one.id, { name })}
            maxLength={60}
          />
          <b className="num">{formatCents(quoteTotals(content, { packageId: one.id, lineIds: [] }, tax).totalCents)}</b>
          <TextField
            label="In one line"
            optional
            value={one.description}
            onChange={(description) => set(one.id, { description })}
            maxLength={300}
          />
          <div className="qb-row-actions">
            {one.recommended ? (
              <span className="hint">Recommended</span>
            ) : (
              <Button
                size="s"
                kind="quiet"
                onClick={() =>
                  onChange({
                    ...content,
                    packages: packages.map((other) => ({ ...other, recommended: other.id === one.id })),
                  })
                }
              >
                Recommend
              </Button>
            )}
            <IconButton label={`Remove the package ${one.name}`} icon={<IconTrash />} onClick={() => remove(one.id)} />
          </div>
        </fieldset>
      ))}
      {packages.length < most.packages ? (
        <Button
          kind="quiet"
          size="s"
          icon={<IconPlus />}
          onClick={() =>
            onChange({
              ...content,
              packages: [...packages, { id: rowId(), name: 'Another', description: '', recommended: false }],
            })
          }
        >
          Add a package
        </Button>
      ) : null}
    </div>
  )
}
