import { brand } from '../../../shared/brand.ts'
import { paths } from '../../../shared/paths.ts'
import { telHref } from '../rules.ts'
import { StripRule } from './StripRule.tsx'
import './public-footer.css'

const columns = [
  {
    title: 'Product',
    links: [
      [paths.features, 'Features'],
      [paths.pricing, 'Pricing'],
      [paths.training, 'Training'],
      [paths.faq, 'FAQ'],
    ],
  },
  {
    title: 'Setup Sprint',
    links: [
      [paths.application, 'Apply'],
      [paths.bookCall, 'Book a call'],
      [`${paths.terms}#setup-sprint`, 'Sprint rules'],
    ],
  },
  {
    title: 'Company',
    links: [
      [paths.about, 'About'],
      [paths.contact, 'Contact'],
      [paths.terms, 'Terms'],
      [paths.privacy, 'Privacy'],
      [paths.smsTerms, 'SMS terms'],
    ],
  },
] as const

/** Links and support contact under every public page. */
export const PublicFooter = () => (
  <footer className="pf">
    <StripRule seed={11} share={1} />
    <div className="pf-in">
      <div className="pf-brand">
        <a className="pf-logo" href={paths.home}>
          {brand.name}
        </a>
        <p>The strip a mower cuts in one pass.</p>
      </div>
      {columns.map((column) => (
        <nav key={column.title} aria-label={column.title}>
          <h2>{column.title}</h2>
          <ul>
            {column.links.map(([href, label]) => (
              <li key={label}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
      ))}
      <div>
        <h2>Support</h2>
        <ul>
          <li>
            <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>
          </li>
          <li>
            <a href={telHref(brand.supportPhone)}>{brand.supportPhone}</a>
          </li>
        </ul>
      </div>
      <p className="pf-legal">
        © {new Date().getFullYear()} <span data-company="">{brand.name}</span>. {brand.name} is software for lawn-care
        businesses.
      </p>
    </div>
  </footer>
)
