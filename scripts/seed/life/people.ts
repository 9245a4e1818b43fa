/** Somebody who buys in the demo shops. Nobody real has these contacts. */
export type Person = Readonly<{ name: string; email: string; phone: string }>;

const person = (name: string, phone: string, host = "example.com"): Person => ({
  name,
  email: `${name.toLowerCase().replaceAll(" ", ".")}@${host}`,
  phone,
});

/** The shoppers of each demo shop. A mobile-money number that ends in 0 pays in test mode. */
export const people = {
  cafe: [
    person("Ama Serwaa", "0241234560"),
    person("Kofi Mensah", "0242345670"),
    person("Efua Owusu", "0243456780"),
    person("Yaw Boateng", "0244567890"),
    person("Abena Asante", "0245678900"),
  ],
  clothes: [
    person("Wanjiku Kamau", "0712345670"),
    person("Otieno Ouma", "0713456780"),
    person("Achieng Odhiambo", "0714567890"),
    person("Mwangi Njoroge", "0715678900"),
    // The first e-mail to this address bounces in development.
    person("Zawadi Kariuki", "0716789010", "mail.invalid"),
  ],
  salon: [
    person("Clara Vogel", "+4915112345670"),
    person("Jonas Becker", "+4915112345680"),
    person("Leyla Demir", "+4915112345690"),
    person("Mara Hofmann", "+4915112345710"),
    person("Emil Krause", "+4915112345720"),
  ],
} as const satisfies Record<string, readonly Person[]>;
