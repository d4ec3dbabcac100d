import { paths } from '../../../shared/paths.ts'
import { formatPhone } from '../../../shared/phone.ts'
import type { PublicBusiness } from '../contract.ts'
import { BusinessHead } from './BusinessHead.tsx'
import './publicface.css'

/** The public page as a visitor sees it; the profile shows the same as a preview. */
export const PublicFace = ({ business, preview = false }: { business: PublicBusiness; preview?: boolean }) => {
  const { slug, name, color, logoUrl, about, services, phone, email, place, portal } = business
  return (
    <article className="public-face">
      <BusinessHead as={preview ? 'p' : 'h1'} name={name} color={color} logoUrl={logoUrl}>
        {place ? <span>{place}</span> : null}
      </BusinessHead>
      <div className="public-face__in">
        {about ? <p className="public-face__about">{about}</p> : null}
        {services.length > 0 ? (
          <section aria-label="Services">
            {preview ? <b>What we do</b> : <h2>What we do</h2>}
            <ul>
              {services.map((service) => (
                <li key={service}>{service}</li>
              ))}
            </ul>
          </section>
        ) : null}
        {portal ? (
          <section aria-label="Customers">
            <h2>Already a customer?</h2>
            <p className="public-face__reach">
              <a href={paths.portal(slug)}>See your visits, bills and messages</a>
            </p>
          </section>
        ) : null}
        {phone || email ? (
          <section aria-label="Contact">
            {preview ? <b>Reach us</b> : <h2>Reach us</h2>}
            <p className="public-face__reach">
              {phone ? <a href={`tel:${phone}`}>{formatPhone(phone)}</a> : null}
              {email ? <a href={`mailto:${email}`}>{email}</a> : null}
            </p>
          </section>
        ) : null}
      </div>
    </article>
  )
}
